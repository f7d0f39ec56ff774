import { renderSegments, type RenderRequest } from './render-segments.ts'

/** A template with its inputs, to render as one text. */
export interface RenderTextRequest extends RenderRequest {
  /** Inputs that are conversations, images, files or sounds. Each renders to a marker that `parseMessages` replaces. @default none */
  readonly richInputs?: readonly string[] | undefined
}

/** A rendered text, with the markers of its rich inputs. */
export interface RenderedTemplate {
  readonly text: string
  /** The markers, by name of the rich input. They differ for each rendering. */
  readonly markers: Readonly<Record<string, string>>
}

/** Renders a template to text. @throws ParleyError `config-invalid`, as `renderSegments` does. */
export function renderTemplate({ richInputs = [], inputs, ...request }: RenderTextRequest): RenderedTemplate {
  const markers = createMarkers(richInputs)
  const segments = renderSegments({ ...request, inputs: { ...inputs, ...markers } })
  return { text: segments.map(segment => segment.text).join(''), markers }
}

/** Makes a random marker for each name, so that no value can contain it. */
export function createMarkers(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map(name => [name, `__PROMPTY_THREAD_${nonce()}_${name}__`]))
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
