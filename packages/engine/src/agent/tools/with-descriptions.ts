import { ParleyError } from '@parley/core'
import type { ToolSet, Toolbox } from './tool-set.ts'

type Descriptions = Readonly<Record<string, string>>

/** A toolbox whose tools are described to the model by other texts. The tools themselves stay as they are. */
export function withDescriptions(toolbox: Toolbox, descriptions: Descriptions): Toolbox {
  if (Object.keys(descriptions).length === 0) return toolbox
  // The same list for the same tools: what is counted of it is counted once.
  const known = new WeakMap<ToolSet, ToolSet>()
  const describe = (tools: ToolSet): ToolSet => {
    let described = known.get(tools)
    if (described === undefined) {
      const specs = tools.specs.map(spec =>
        Object.hasOwn(descriptions, spec.name)
          ? { ...spec, description: descriptions[spec.name] ?? spec.description }
          : spec,
      )
      described = { ...tools, specs }
      known.set(tools, described)
    }
    return described
  }
  return {
    current(signal) {
      const tools = toolbox.current(signal)
      return tools instanceof Promise ? tools.then(describe) : describe(tools)
    },
    close: () => toolbox.close(),
  }
}

/** @throws ParleyError `config-invalid` for what is no text by tool name. */
export function checkDescriptions(descriptions: Descriptions, path: string): void {
  if (typeof descriptions !== 'object' || descriptions === null || Array.isArray(descriptions))
    refuse(path, 'is no record of texts by tool name')
  for (const [tool, text] of Object.entries<unknown>(descriptions)) {
    if (typeof text !== 'string' || text.trim() === '') refuse(`${path}.${tool}`, 'is no text')
  }
}

/** @throws ParleyError `config-invalid` for a description of a tool that is not among the known ones. */
export function checkDescribed(descriptions: Descriptions, known: readonly string[], path: string): void {
  for (const tool of Object.keys(descriptions)) {
    if (known.includes(tool)) continue
    const list = known.length === 0 ? 'The agent has no tools.' : `Its tools: ${known.join(', ')}.`
    refuse(`${path}.${tool}`, `describes a tool the agent does not have. ${list}`)
  }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
