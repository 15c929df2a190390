// NLP.js over the FAQ, with its Direct Line connector and its web chat page: node nlpjs.js FAQ PORT MODULES
const fs = require('fs');
const net = require('net');
const { createRequire } = require('module');

const [faq, port, modules] = process.argv.slice(2);

// It would listen on every interface.
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function onLoopback(at, ready) {
  return listen.call(this, at, '127.0.0.1', ready);
};

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
  for (const line of fs.readFileSync(faq, 'utf8').split('\n').filter(Boolean)) {
    const { id, question, also, answer } = JSON.parse(line);
    nlp.addDocument('en', question, id);
    nlp.addDocument('en', also, id);
    nlp.addAnswer('en', id, answer);
  }
  nlp.addAnswer('en', 'None', 'Sorry, I do not know that.');
  await nlp.train();
}

main();
