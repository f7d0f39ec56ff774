import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'

/** A Google Cloud project and the location where Vertex AI serves it. */
export interface VertexPlace {
  /** Id of the project that pays. */
  readonly project: string
  /** A region (`us-east5`), a multi-region (`us`, `eu`), or `global`. @default 'global' */
  readonly location?: string | undefined
}

const SEGMENT = /^[a-z0-9][a-z0-9.:-]*$/i

const OPTIONS: OptionKinds<VertexPlace> = {
  project: 'string!',
  location: 'string',
}

/**
 * Returns the address at which Vertex AI serves a project.
 * @param version Version of the API: `v1`, `v1beta1`.
 * @throws `config-invalid` if the project or the location is invalid.
 */
export function vertexAddress(options: VertexPlace, version: string): string {
  checkOptions('vertexAddress', options, OPTIONS)
  const { project, location = 'global' } = options
  for (const [path, value] of Object.entries({ project, location }))
    if (!SEGMENT.test(value))
      throw new ParleyError({
        code: 'config-invalid',
        path,
        detail: `'${value}' must consist of letters, digits, dots, colons and hyphens`,
      })
  return `https://${hostOf(location)}/${version}/projects/${project}/locations/${location}`
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com'
  const isMultiRegion = location === 'us' || location === 'eu'
  return isMultiRegion ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`
}
