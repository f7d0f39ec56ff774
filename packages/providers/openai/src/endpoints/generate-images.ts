import { ParleyError, type Json } from '@parley/core'
import { encodeJson, fieldsOf, listOf, textOf, type Http } from '@parley/provider-kit'

/** A description of images to generate. */
export interface GenerateImagesRequest {
  /** Id of the image model. */
  readonly model: string
  /** Description of the images. */
  readonly prompt: string
  /** More fields for the request body, such as `size` and `n`. @default {} */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Generates images with `POST /images/generations`. */
export async function generateImages(
  http: Http,
  provider: string,
  { model, prompt, options = {}, signal }: GenerateImagesRequest,
): Promise<readonly string[]> {
  const body = encodeJson({ ...options, model, prompt })
  const items = listOf(fieldsOf(await http.json({ path: 'images/generations', body: () => body, signal }))?.['data'])
  const images = items.map(item => {
    const { url, b64_json: bytes } = fieldsOf(item) ?? {}
    return textOf(url) || textOf(bytes)
  })
  if (images.length === 0 || images.includes(''))
    throw new ParleyError({
      code: 'model-stream',
      provider,
      model,
      detail: 'The server sent a document without images.',
    })
  return images
}
