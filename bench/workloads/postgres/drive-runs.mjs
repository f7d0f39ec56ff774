import { quantile } from '../workload.mjs'

/** Waits for the parent, drives `concurrent` loops of `drive` for `seconds`, and reports to the parent. */
export async function driveRuns({ concurrent, seconds, turns }, { drive, appendTimes }) {
  await Promise.all(Array.from({ length: concurrent }, () => drive()))
  process.send('ready')
  await new Promise(resolve => process.once('message', resolve))
  appendTimes.length = 0
  const cpuBefore = process.cpuUsage()
  const from = performance.now()
  let runs = 0
  async function loop() {
    while (performance.now() - from < seconds * 1_000) {
      await drive()
      runs++
    }
  }
  await Promise.all(Array.from({ length: concurrent }, loop))
  const took = (performance.now() - from) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  process.send({
    turns: runs * turns,
    turnsPerSecond: (runs * turns) / took,
    cpuUs: user + system,
    appends: appendTimes.length,
    appendP50Ms: quantile(appendTimes, 0.5),
    appendP99Ms: quantile(appendTimes, 0.99),
  })
}
