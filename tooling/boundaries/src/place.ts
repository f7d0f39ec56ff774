/** The place of a package in the picture of the architecture. */
export interface Place {
  readonly layer: 'core' | 'engine' | 'testing' | 'leaf' | 'feature' | 'app' | 'example' | 'tooling'
  /** The grouping folder: `providers`, `stores`, … */
  readonly family?: string | undefined
  /** Whether packages of the same family may import this one. Packages without a family count as one family. */
  readonly kit?: boolean | undefined
  /**
   * Whether the package depends only on core and implements its contracts. Features and all tests may import such a
   * package.
   */
  readonly part?: boolean | undefined
}

const SINGLES: Readonly<Record<string, Place>> = {
  core: { layer: 'core' },
  engine: { layer: 'engine' },
  testing: { layer: 'testing' },
  'context-policies': { layer: 'leaf', part: true },
  'event-bus': { layer: 'leaf', part: true },
  middleware: { layer: 'leaf', part: true },
  mcp: { layer: 'leaf', part: true },
  tools: { layer: 'leaf', part: true },
  otel: { layer: 'leaf', part: true },
  'runs-api': { layer: 'leaf' },
  // Private: the packages that import it bundle it.
  yaml: { layer: 'leaf', kit: true },
  config: { layer: 'feature' },
  prompty: { layer: 'feature' },
  // An eval is a workflow over the cases of its data.
  workflow: { layer: 'feature', kit: true },
  evals: { layer: 'feature' },
  // Imports nothing of ours. Its templates are projects, which compose anything.
  'create-parley': { layer: 'feature' },
}

const FAMILIES: Readonly<Record<string, Place['layer']>> = {
  providers: 'leaf',
  stores: 'leaf',
  protocols: 'leaf',
  hosts: 'feature',
}

const KITS: ReadonlySet<string> = new Set(['providers/kit', 'stores/sql', 'protocols/encoders'])
const PARTS: ReadonlySet<string> = new Set(['stores/memory', 'stores/sqlite'])

/** Returns the place of the package in folder `dir`, a path from the root; `undefined` if the picture does not show it. */
export function placeOf(dir: string): Place | undefined {
  const [top = '', name = '', member] = dir.split('/')
  if (top === 'apps') return { layer: 'app' }
  if (top === 'examples') return { layer: 'example' }
  if (top === 'tooling' || top === 'bench' || top === 'docs') return { layer: 'tooling' }
  if (top !== 'packages') return undefined
  if (member === undefined) return SINGLES[name]
  // Whole programs for new projects.
  if (name === 'create-parley') return { layer: 'example' }
  const layer = FAMILIES[name]
  const path = `${name}/${member}`
  return layer === undefined ? undefined : { layer, family: name, kit: KITS.has(path), part: PARTS.has(path) }
}

/** Returns whether a package may import another one. `dev` is true for imports in tests, examples and configuration. */
export function hasArrow(from: Place, to: Place, dev: boolean): boolean {
  if (to.layer === 'app' || to.layer === 'example') return false
  if (to.layer === 'tooling') return from.layer === 'tooling' || dev
  if (from.layer === 'app' || from.layer === 'example' || from.layer === 'tooling') return true
  if (from.layer === 'core') return false
  if (to.layer === 'core') return true
  // Tests need the fakes, and the engine that runs them, without a dependency on another leaf.
  if (to.layer === 'testing') return dev
  if (to.part === true) return from.layer === 'feature' || dev
  if (to.layer === 'engine') return from.layer === 'feature' || from.layer === 'testing' || dev
  return to.kit === true && to.family === from.family
}
