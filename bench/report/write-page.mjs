import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawCurves } from './draw-curves.mjs'

/** Writes `docs/operate/figures.md` and its pictures from the results of the last measurements. */
export function writePage(root) {
  const folder = path.join(root, 'bench/report/full')
  const pictures = path.join(root, 'docs/operate/figures')
  mkdirSync(pictures, { recursive: true })
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
  const results = files
    .map(name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
    .toSorted((a, b) => Number(a.name.slice(1)) - Number(b.name.slice(1)))
  for (const result of results) {
    for (const curve of result.curves)
      writeFileSync(path.join(pictures, pictureOf(result, curve)), drawCurves(result, curve))
  }
  const file = path.join(root, 'docs/operate/figures.md')
  writeFileSync(file, page(results))
  spawnSync(path.join(root, 'node_modules/.bin/oxfmt'), [file, folder], { stdio: 'inherit' })
}

const pictureOf = ({ name }, { metric }) => `${name.toLowerCase()}-${metric.toLowerCase()}.svg`

function page(results) {
  const rows = results.flatMap(({ name, lines }) =>
    lines.map(line => [name, line.name, format(line.value), bound(line), verdict(line)]),
  )
  return `# Measured figures

\`pnpm bench report\` writes this page. Each workload measures its physical limit in the same run: the least work that gives the user
the same. Both sides take turns, each measurement in a new process, and a ratio is the median over the repetitions. Ratios
depend little on the machine, but absolute values do. [Operating figures](./capacity.md) says what follows from them.

${table(['workload', 'line', 'value', 'must hold', ''], rows)}

${results.map(section).join('\n\n')}
`
}

function section(result) {
  const { name, title, limit, axis, machine, date, reps, curves } = result
  const { cpu, cores, memoryGb, node } = machine
  const pictures = curves
    .map(curve => `![${curve.label} over ${axis}](./figures/${pictureOf(result, curve)})`)
    .join('\n\n')
  return `## ${name}: ${title}

The limit: ${limit}. Measured on ${date} with ${cores} cores (${cpu}), ${memoryGb} GB of memory and Node.js ${node.slice(1)}, ${reps} repetitions.

${table(...points(result))}

${pictures}`.trimEnd()
}

/** One row for each side and point. */
function points({ axis, medians }) {
  const metrics = [...new Set(Object.values(medians).flatMap(byPoint => Object.values(byPoint).flatMap(Object.keys)))]
  const rows = Object.entries(medians).flatMap(([side, byPoint]) =>
    Object.entries(byPoint).map(([point, values]) => [
      side,
      Number(point).toLocaleString('en-US'),
      ...metrics.map(metric => (values[metric] === undefined ? '' : format(values[metric]))),
    ]),
  )
  return [['side', axis, ...metrics], rows]
}

function table(head, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function bound({ atMost, atLeast }) {
  if (atMost !== undefined) return `≤ ${atMost}`
  return atLeast === undefined ? '' : `≥ ${atLeast}`
}

const verdict = ({ holds, atMost, atLeast }) =>
  atMost === undefined && atLeast === undefined ? '' : holds ? 'holds' : 'missed'

function format(value) {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
