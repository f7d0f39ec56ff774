import { openChromium } from '../../tooling/browser/src/open-chromium.ts'
const base = 'http://127.0.0.1:4611/studio'
const { browser } = await openChromium()
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
page.on('console', m => {
  if (m.type() !== 'log' && m.type() !== 'debug') console.log('CONSOLE', m.type(), m.text().slice(0, 300))
})
page.on('pageerror', e => console.log('PAGEERROR', e.message, e.stack?.slice(0, 400)))
const runs = (await (await fetch('http://127.0.0.1:4611/runs?limit=100')).json()).runs
const id = agent => runs.find(r => r.agent === agent)?.runId
const shots = {
  runs: '/',
  editor: `/runs/${id('editor')}`,
  conv: `/runs/${id('editor')}?tab=conversation`,
  entries: `/runs/${id('support')}?tab=entries&seq=5`,
  crash: `/runs/${id('billing')}`,
  approvals: '/approvals',
  play: '/play',
  workflows: `/workflows?run=${id('report')}`,
  spend: '/spend',
  workers: '/workers',
  unknown: '/unknown-calls',
  dead: '/dead-letters',
  health: '/health',
}
const only = process.argv.slice(2)
for (const [name, path] of Object.entries(shots)) {
  if (only.length && !only.includes(name)) continue
  await page.goto(base + path)
  await page.waitForTimeout(1200)
  await page.screenshot({ path: `/tmp/shot-${name}.png` })
  console.log(name)
}
await browser.close()
process.exit(0)
