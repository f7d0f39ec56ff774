import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { renderJinja } from './render-jinja.ts'
import { renderMustache } from './render-mustache.ts'
import { SegmentWriter, type Segment } from './segment-writer.ts'

/** A template with its inputs. */
export interface RenderRequest {
  /** The text of the template. */
  readonly template: string
  /** 'jinja2' or 'mustache'. @default 'jinja2' */
  readonly engine?: string | undefined
  /** Values of the inputs, by name. */
  readonly inputs: PromptyInputs
  /** Inputs whose text must not look like a role marker. @default none */
  readonly strictProps?: readonly string[] | undefined
  /** Whether a value that renders to an empty text still makes a segment. @default false */
  readonly keepEmpty?: boolean | undefined
}

const OPTIONS: OptionKinds<RenderRequest> = {
  template: 'string!',
  engine: 'string',
  inputs: 'object!',
  strictProps: 'strings',
  keepEmpty: 'boolean',
}

/**
 * Renders a template to segments that separate the template's own text from values. Values are inert: they are never rendered
 * as templates, and their methods are never called.
 * @throws ParleyError `config-invalid` with the line of a syntax error, or if a strict input looks like a role marker.
 */
export function renderSegments(options: RenderRequest): readonly Segment[] {
  checkOptions('renderSegments', options, OPTIONS)
  const { template, engine = 'jinja2', inputs, strictProps, keepEmpty } = options
  const writer = new SegmentWriter({ templateLength: template.length, strictProps, keepEmpty })
  const values = new Map(Object.entries(inputs))
  if (engine === 'jinja2') renderJinja(template, values, writer)
  else if (engine === 'mustache') renderMustache(template, values, writer)
  else
    throw new ParleyError({
      code: 'config-invalid',
      path: 'template.format.kind',
      detail: `is '${engine}'; must be jinja2 or mustache.`,
    })
  return writer.end()
}
