import { ParleyError } from '@parley/core'

/** A project and a place of Google's Vertex AI. */
export interface VertexPlace {
  /** Id of the project that pays. */
  readonly project: string
  /** A region (`us-east5`), several (`us`, `eu`), or `global`. @default 'global' */
  readonly location?: string | undefined
}

const SEGMENT = /^[a-z0-9][a-z0-9.:-]*$/i

/**
 * Where Vertex AI serves a project.
 * @param version Of the API: `v1`, `v1beta1`.
 * @throws `config-invalid` for a project or location that is none.
 */
export function vertexAddress({ project, location = 'global' }: VertexPlace, version: string): string {
  for (const [path, value] of Object.entries({ project, location }))
    if (!SEGMENT.test(value))
      throw new ParleyError({ code: 'config-invalid', path, detail: `'${value}' is no ${path} of Vertex AI.` })
  return `https://${hostOf(location)}/${version}/projects/${project}/locations/${location}`
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com'
  const isMultiRegion = location === 'us' || location === 'eu'
  return isMultiRegion ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`
}
