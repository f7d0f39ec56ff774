import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyFiles } from '../format/prompty-files.ts'
import { validateInputs, type PromptyInputs } from '../format/validate-inputs.ts'
import { renderSegments } from '../template/render-segments.ts'
import { createMarkers } from '../template/render-template.ts'
import { parseSegments, type RichSegment, type RichValue } from './parse-segments.ts'
import type { PromptyMessage } from '../format/prompty-message.ts'
import { RICH_KINDS, toRichValue } from './to-rich-value.ts'

export interface PrepareOptions {
  readonly inputs?: PromptyInputs | undefined
  readonly files?: PromptyFiles | undefined
}

/**
 * Validates inputs, renders the template and parses the messages. No value can start a message.
 * @throws ParleyError `config-invalid` if an input is missing, or the template or a value is invalid.
 */
export async function prepareMessages(
  agent: PromptyAgent,
  { inputs: given, files }: PrepareOptions = {},
): Promise<readonly PromptyMessage[]> {
  const { inputs: declared, template, instructions, path } = agent
  const inputs = validateInputs(agent, given)
  const rich = declared.filter(({ kind }) => RICH_KINDS.has(kind))
  const markers = createMarkers(rich.map(({ name }) => name))
  const values = new Map<string, RichValue>()
  for (const { name, kind } of rich)
    values.set(name, await toRichValue({ name, kind, value: inputs[name] }, { files, path }))
  const segments = renderSegments({
    template: instructions,
    engine: template.format.kind,
    inputs: { ...inputs, ...markers },
    strictProps: strictPropsOf(agent, given ?? {}),
    // An empty value must not let the rest of its line become a role marker.
    keepEmpty: true,
  })
  return parseSegments(
    segments.map((segment): RichSegment => {
      const { source, text } = segment
      const value = source === null ? undefined : values.get(source)
      return value !== undefined && text === markers[source ?? ''] ? { kind: 'rich', value } : segment
    }),
  )
}

function strictPropsOf({ inputs, template }: PromptyAgent, given: PromptyInputs): readonly string[] {
  const { strict: all = false } = template.format
  const relaxed = new Set(inputs.filter(({ strict }) => strict === false).map(({ name }) => name))
  const names = all ? new Set([...Object.keys(given), ...inputs.map(({ name }) => name)]) : new Set<string>()
  for (const { name, strict } of inputs) if (strict === true) names.add(name)
  return [...names].filter(name => !relaxed.has(name))
}
