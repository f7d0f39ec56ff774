import { ParleyError } from '@parley/core'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { renderJinja } from './render-jinja.ts'
import { renderMustache } from './render-mustache.ts'
import { SegmentWriter, type Segment } from './segment-writer.ts'

export interface RenderRequest {
  readonly template: string
  /** @default 'jinja2' */
  readonly engine?: string | undefined
  readonly inputs: PromptyInputs
  /** Inputs whose text must not look like a role marker. @default none */
  readonly strictProps?: readonly string[] | undefined
  /** Whether a value that renders to nothing still leaves a segment. @default false */
  readonly keepEmpty?: boolean | undefined
}

/**
 * Renders a template to pieces that tell the author's text from what values became. Values are inert: nothing in them is
 * rendered again, and nothing of them is called.
 * @throws ParleyError `config-invalid` naming the line of a syntax error, and for a strict input that looks like a role
 * marker.
 */
export function renderSegments({
  template,
  engine = 'jinja2',
  inputs,
  strictProps,
  keepEmpty,
}: RenderRequest): readonly Segment[] {
  const writer = new SegmentWriter({ templateLength: template.length, strictProps, keepEmpty })
  const values = new Map(Object.entries(inputs))
  if (engine === 'jinja2') renderJinja(template, values, writer)
  else if (engine === 'mustache') renderMustache(template, values, writer)
  else
    throw new ParleyError({
      code: 'config-invalid',
      path: 'template.format.kind',
      detail: `There is no renderer for '${engine}'. Use jinja2 or mustache.`,
    })
  return writer.end()
}
