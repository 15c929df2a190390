// Corrects the text of each line of JSON with nspell: node nspell_lines.js MODULES [WORDS]
const fs = require('fs');
const readline = require('readline');
const { createRequire } = require('module');

const [modules, words] = process.argv.slice(2);
const nspell = createRequire(`${modules}/`)('nspell');
const file = (end) => fs.readFileSync(`${modules}/node_modules/dictionary-en/index.${end}`);
const speller = nspell(file('aff'), file('dic'));
if (words) JSON.parse(fs.readFileSync(words, 'utf8')).forEach((word) => speller.add(word));

const better = (word) => (speller.correct(word) ? word : speller.suggest(word)[0] || word);

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const text = JSON.parse(line).text.replace(/[\p{L}\p{N}'’]+/gu, better);
    process.stdout.write(`${JSON.stringify({ text })}\n`);
  }
}

main();
