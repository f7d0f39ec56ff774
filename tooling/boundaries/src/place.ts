/** Where a package stands in the picture of the architecture. */
export interface Place {
  readonly layer: 'core' | 'engine' | 'testing' | 'leaf' | 'feature' | 'app' | 'example' | 'tooling'
  /** The grouping folder: `providers`, `stores`, … */
  readonly family?: string | undefined
  /** Shared by the leaves of its family. */
  readonly kit?: boolean | undefined
  /** Needs no resources, so tests and examples of every package may use it. */
  readonly inMemory?: boolean | undefined
}

const SINGLES: Readonly<Record<string, Place>> = {
  core: { layer: 'core' },
  engine: { layer: 'engine' },
  testing: { layer: 'testing' },
  middleware: { layer: 'leaf' },
  mcp: { layer: 'leaf' },
  tools: { layer: 'leaf' },
  otel: { layer: 'leaf' },
  config: { layer: 'feature' },
  prompty: { layer: 'feature' },
  workflow: { layer: 'feature' },
}

const FAMILIES: Readonly<Record<string, Place['layer']>> = {
  providers: 'leaf',
  stores: 'leaf',
  protocols: 'leaf',
  hosts: 'feature',
}

const KITS: ReadonlySet<string> = new Set(['providers/kit', 'stores/sql'])
const IN_MEMORY: ReadonlySet<string> = new Set(['stores/memory'])

/** The place of the package in folder `dir` (from the root); undefined for a folder the picture does not show. */
export function placeOf(dir: string): Place | undefined {
  const [top = '', name = '', member] = dir.split('/')
  if (top === 'apps') return { layer: 'app' }
  if (top === 'examples') return { layer: 'example' }
  if (top === 'tooling' || top === 'bench') return { layer: 'tooling' }
  if (top !== 'packages') return undefined
  if (member === undefined) return SINGLES[name]
  const layer = FAMILIES[name]
  const path = `${name}/${member}`
  return layer === undefined ? undefined : { layer, family: name, kit: KITS.has(path), inMemory: IN_MEMORY.has(path) }
}

/** Whether the picture has an arrow between two packages; `dev` for tests, examples and configuration. */
export function hasArrow(from: Place, to: Place, dev: boolean): boolean {
  if (to.layer === 'app' || to.layer === 'example') return false
  if (to.layer === 'tooling') return from.layer === 'tooling'
  if (from.layer === 'app' || from.layer === 'example' || from.layer === 'tooling') return true
  if (from.layer === 'core') return false
  if (to.layer === 'core') return true
  // Fakes and the loop to run them in: what a test needs without being coupled to a neighbour.
  if (to.layer === 'testing' || to.inMemory === true) return dev
  if (to.layer === 'engine') return from.layer === 'feature' || from.layer === 'testing' || dev
  return to.kit === true && to.family === from.family
}
