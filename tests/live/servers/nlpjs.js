// NLP.js over the FAQ (JSON lines) or a corpus of its own (JSON), with its Direct Line connector and its web chat page:
// node nlpjs.js FAQ|CORPUS PORT MODULES
const fs = require('fs');
const net = require('net');
const { createRequire } = require('module');

const [known, port, modules] = process.argv.slice(2);

// It would listen on every interface.
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function onLoopback(at, ready) {
  return listen.call(this, at, '127.0.0.1', ready);
};

function addFaq(nlp, text) {
  for (const line of text.split('\n').filter(Boolean)) {
    const { id, question, also, answer } = JSON.parse(line);
    nlp.addDocument('en', question, id);
    nlp.addDocument('en', also, id);
    nlp.addAnswer('en', id, answer);
  }
  nlp.addAnswer('en', 'None', 'Sorry, I do not know that.');
}

async function main() {
  const { dockStart } = createRequire(`${modules}/`)('@nlpjs/basic');
  const dock = await dockStart({
    settings: {
      nlp: { threshold: 0.5, autoSave: false, autoLoad: false, log: false, languages: ['en'] },
      'api-server': { port: Number(port), serveBot: true },
      directline: { log: false },
    },
    use: ['Basic', 'LangEn', 'ExpressApiServer', 'DirectlineConnector'],
    pathConfiguration: 'none',
  });
  const nlp = dock.get('nlp');
  const text = fs.readFileSync(known, 'utf8');
  if (known.endsWith('.json')) {
    await nlp.addCorpus(JSON.parse(text));
  } else {
    addFaq(nlp, text);
  }
  await nlp.train();
  console.log('trained');
}

main();
