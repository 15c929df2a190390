// NLP.js over a corpus, asked by a line of JSON on its input: node nlpjs_lines.js CORPUS MODULES
const fs = require('fs');
const readline = require('readline');
const { createRequire } = require('module');

const [corpus, modules] = process.argv.slice(2);
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
// What it logs is no answer.
console.log = console.error;

async function main() {
  const { dockStart } = createRequire(`${modules}/`)('@nlpjs/basic');
  const dock = await dockStart({
    settings: { nlp: { threshold: 0.5, autoSave: false, autoLoad: false, log: false, languages: ['en'] } },
    use: ['Basic', 'LangEn'],
    pathConfiguration: 'none',
  });
  const nlp = dock.get('nlp');
  await nlp.addCorpus(JSON.parse(fs.readFileSync(corpus, 'utf8')));
  await nlp.train();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { answer } = await nlp.process('en', JSON.parse(line).text);
    write({ text: answer || 'Sorry, I do not know that.' });
  }
}

main();
