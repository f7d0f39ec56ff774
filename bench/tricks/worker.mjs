// Measures one trick in a fresh process: with it, or with its undoing applied to the sources as they are loaded.
//   node --conditions=@parley/source --expose-gc worker.mjs '{"trick":"listener-list","without":true}'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { METRICS } from './metrics.mjs'
import { TRICKS } from './catalogue.mjs'

const root = path.join(import.meta.dirname, '../..')
const { trick: name, without } = JSON.parse(process.argv[2])
const trick = TRICKS.find(each => each.name === name)
const loaded = new Set()

registerHooks({
  load(url, context, nextLoad) {
    const module = nextLoad(url, context)
    const edits = trick.undo.filter(({ file }) => url === new URL(`file://${path.join(root, file)}`).href)
    if (edits.length === 0) return module
    let source = Buffer.from(module.source).toString()
    for (const edit of edits) source = applyEdit(source, edit)
    for (const { file } of edits) loaded.add(file)
    return without ? { ...module, source } : module
  },
})

/** Replaces a text that must occur exactly once. */
function applyEdit(source, { file, from, to }) {
  const parts = source.split(from)
  if (parts.length !== 2) throw new Error(`${name}: ${file} has the text ${parts.length - 1} times: ${from}`)
  return parts.join(to)
}

const value = await METRICS[trick.metric].measure()
const unused = trick.undo.find(({ file }) => !loaded.has(file))
if (unused !== undefined) throw new Error(`${name}: the workload does not load ${unused.file}`)
process.stdout.write(`@@${JSON.stringify(value)}\n`)
process.exit(0)
