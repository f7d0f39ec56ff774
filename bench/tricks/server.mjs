// Answers every request with the same few text deltas, for `metrics.mjs`.
import { createServer } from 'node:http'
import { answerPieces } from './workloads.mjs'

const body = Buffer.concat(answerPieces({ chunks: 4, batch: 4 }))
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': body.length }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/v1`))
process.once('disconnect', () => process.exit(0))
