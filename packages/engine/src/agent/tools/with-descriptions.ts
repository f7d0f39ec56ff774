import { refuseOption } from '@parley/core'
import { mapToolbox } from './map-toolbox.ts'
import type { Toolbox } from './tool-set.ts'

type Descriptions = Readonly<Record<string, string>>

/** A toolbox that describes its tools to the model with other texts. The tools do not change. */
export function withDescriptions(toolbox: Toolbox, descriptions: Descriptions): Toolbox {
  if (Object.keys(descriptions).length === 0) return toolbox
  return mapToolbox(toolbox, tools => ({
    ...tools,
    specs: tools.specs.map(spec =>
      Object.hasOwn(descriptions, spec.name)
        ? { ...spec, description: descriptions[spec.name] ?? spec.description }
        : spec,
    ),
  }))
}

/** Checks the types of tool descriptions. @throws ParleyError `config-invalid` if a description is not a text. */
export function checkDescriptions(descriptions: Descriptions, path: string): void {
  if (typeof descriptions !== 'object' || descriptions === null || Array.isArray(descriptions))
    refuseOption(path, 'must be an object of texts by tool name')
  for (const [tool, text] of Object.entries<unknown>(descriptions)) {
    if (typeof text !== 'string' || text.trim() === '') refuseOption(`${path}.${tool}`, 'must be a text')
  }
}

/** Checks that every described tool exists. @throws ParleyError `config-invalid` if a described tool is unknown. */
export function checkDescribed(descriptions: Descriptions, known: readonly string[], path: string): void {
  for (const tool of Object.keys(descriptions)) {
    if (known.includes(tool)) continue
    const list = known.length === 0 ? 'The agent has no tools.' : `Its tools: ${known.join(', ')}.`
    refuseOption(`${path}.${tool}`, `describes a tool the agent does not have. ${list}`)
  }
}
