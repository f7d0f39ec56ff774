import { once } from 'node:events'
import { Agent, request } from 'node:http'

const { urls, pieces } = JSON.parse(process.argv[2])
/** Connections that are opened at the same time. The server's backlog is limited. */
const AT_ONCE = 100
const agent = new Agent({ maxSockets: Infinity })
const now = () => performance.timeOrigin + performance.now()
const delays = []
const reading = []

process.once('disconnect', () => process.exit())

async function open(url, index) {
  const sent = request(url, { agent })
  sent.end()
  const [response] = await once(sent, 'response')
  const [first] = await once(response, 'data')
  reading.push(read(response, first.toString('latin1'), index % 10 === 9))
}

/** Reads a stream to its end. @returns Whether it had every piece and the last event. */
async function read(response, first, isSlow) {
  let text = first
  const seen = new Set(timesIn(first))
  // A slow reader takes nothing until all pieces are sent.
  if (isSlow) {
    response.pause()
    await new Promise(resolve => setTimeout(resolve, (pieces + 3) * 1_000))
  }
  for await (const chunk of response) {
    const received = now()
    const added = chunk.toString('latin1')
    text += added
    for (const time of timesIn(added)) {
      if (seen.has(time)) continue
      seen.add(time)
      if (!isSlow) delays.push(received - Number(time))
    }
  }
  return seen.size === pieces && /"status":"completed"/.test(text)
}

const timesIn = text => [...text.matchAll(/<(\d+\.\d+)>/g)].map(([, time]) => time)

let next = 0
async function loop() {
  while (next < urls.length) {
    const index = next++
    await open(urls[index], index)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, loop))
process.send('open')
const results = await Promise.all(reading.map(each => each.catch(() => false)))
process.send({ dropped: results.filter(complete => !complete).length, delays })
