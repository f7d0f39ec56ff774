import { renderSegments, type RenderRequest } from './render-segments.ts'

export interface RenderTextRequest extends RenderRequest {
  /** Inputs that are conversations, images, files or sounds: each renders to a marker that parsing replaces. @default none */
  readonly richInputs?: readonly string[] | undefined
}

/** A template as one text, with the markers its rich inputs became. */
export interface RenderedTemplate {
  readonly text: string
  /** The marker of each rich input, by name. New for each rendering. */
  readonly markers: Readonly<Record<string, string>>
}

/** Renders a template to text. @throws ParleyError `config-invalid`, as `renderSegments` does. */
export function renderTemplate({ richInputs = [], inputs, ...request }: RenderTextRequest): RenderedTemplate {
  const markers = createMarkers(richInputs)
  const segments = renderSegments({ ...request, inputs: { ...inputs, ...markers } })
  return { text: segments.map(segment => segment.text).join(''), markers }
}

/** A marker for each name that no value can know beforehand. */
export function createMarkers(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map(name => [name, `__PROMPTY_THREAD_${nonce()}_${name}__`]))
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
