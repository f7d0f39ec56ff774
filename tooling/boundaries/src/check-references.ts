import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { hasArrow, type Place } from './place.ts'
import type { SourceFile } from './source-file.ts'
import type { ModuleReference } from './source-facts.ts'
import type { Rule } from './violation.ts'
import type { Manifest, Workspace } from './workspace.ts'

/** Facts about the importing file that the rules for imports need. */
export interface ReferenceContext {
  readonly workspace: Workspace
  readonly place: Place
  readonly file: SourceFile
  /** Every package of the repository, by name. */
  readonly ours: ReadonlyMap<string, Workspace>
  /** Dependencies of the root manifest, which every unpublished file can import. */
  readonly rootDependencies: ReadonlySet<string>
}

interface Finding {
  readonly rule: Rule
  readonly message: string
}

/** Returns the rules that one import breaks. */
export function checkReference({ specifier }: ModuleReference, context: ReferenceContext): readonly Finding[] {
  if (specifier.startsWith('.')) return checkRelative(specifier, context)
  if (/^(\/|file:)/.test(specifier))
    return [
      {
        rule: 'deep-import',
        message: `'${specifier}' exists on one machine only. Use a relative path or the name of a package.`,
      },
    ]
  if (isBuiltin(specifier)) return checkBuiltin(specifier, context)
  // `#name` is a name inside the package, and a URL names no package.
  if (/^(#|[a-z]+:)/.test(specifier)) return []
  const [first = '', second = ''] = specifier.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  const target = context.ours.get(name)
  const subpath = `.${specifier.slice(name.length)}`
  return [
    ...(target === undefined ? [] : checkArrow(target, subpath, context)),
    ...checkDeclared(name, context),
    ...checkZod(specifier, context),
  ]
}

function checkRelative(specifier: string, { workspace, file }: ReferenceContext): readonly Finding[] {
  const target = posix.join(posix.dirname(file.path), specifier)
  if (target === workspace.dir || target.startsWith(`${workspace.dir}/`)) return []
  const message = `'${specifier}' leaves ${workspace.dir}. Import the other package by its name.`
  return [{ rule: 'deep-import', message }]
}

function checkBuiltin(specifier: string, { place, file }: ReferenceContext): readonly Finding[] {
  const portable = ['core', 'engine'].includes(place.layer) || ['providers', 'protocols'].includes(place.family ?? '')
  if (!portable || file.dev) return []
  const message = `'${specifier}' does not exist on every runtime that this package supports. Use a web API, or accept the function as an option.`
  return [{ rule: 'node-builtin', message }]
}

function checkArrow(target: Workspace, subpath: string, context: ReferenceContext): readonly Finding[] {
  const { workspace, place, file } = context
  const found: Finding[] = []
  const self = target.dir === workspace.dir
  if (self && !file.dev) {
    found.push({ rule: 'arrow', message: `${target.manifest.name} imports itself by name. Use a relative path.` })
  } else if (!self && target.place !== undefined && !hasArrow(place, target.place, file.dev)) {
    const message = `${workspace.manifest.name} (${place.layer}) must not import ${target.manifest.name} (${target.place.layer}).`
    found.push({ rule: 'arrow', message })
  }
  if (!isExported(target.manifest.exports, subpath)) {
    const message = `'${subpath}' is not among the exports of ${target.manifest.name}.`
    found.push({ rule: 'deep-import', message })
  }
  return found
}

function checkDeclared(
  name: string,
  { workspace, place, file, rootDependencies }: ReferenceContext,
): readonly Finding[] {
  const { manifest } = workspace
  if (name === manifest.name) return []
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = manifest
  if ([dependencies, peerDependencies, optionalDependencies].some(list => list !== undefined && name in list)) return []
  const unpublished = file.dev || place.layer === 'example' || place.layer === 'tooling'
  if (unpublished && rootDependencies.has(name)) return []
  if ((unpublished || workspace.bundled.has(name)) && name in (devDependencies ?? {})) return []
  const message = `'${name}' is not in the ${unpublished ? 'dependencies' : 'run-time dependencies'} of ${workspace.dir}/package.json.`
  return [{ rule: 'undeclared', message }]
}

function checkZod(specifier: string, { place, file }: ReferenceContext): readonly Finding[] {
  if (file.dev) return []
  if (specifier === '@parley/core/schema' && place.layer === 'engine') {
    return [
      {
        rule: 'zod',
        message: `The engine must not import ${specifier}, which loads zod. Check the value by hand, or import its type from @parley/core.`,
      },
    ]
  }
  if (specifier !== 'zod') return []
  if (place.layer === 'core' && !file.inPackage.startsWith('src/schema/')) {
    return [
      {
        rule: 'zod',
        message: 'Only src/schema may import zod, because the main entry loads without it. Move the import there.',
      },
    ]
  }
  return place.layer === 'engine'
    ? [
        {
          rule: 'zod',
          message: 'The engine must not import zod, because it loads without it. Accept a Standard Schema instead.',
        },
      ]
    : []
}

function isExported(exports: Manifest['exports'], subpath: string): boolean {
  if (typeof exports !== 'object') return subpath === '.' && exports !== undefined
  return Object.keys(exports).some(key => {
    const [before = '', after] = key.split('*')
    if (after === undefined) return key === subpath
    return subpath.startsWith(before) && subpath.endsWith(after) && subpath.length >= before.length + after.length
  })
}
