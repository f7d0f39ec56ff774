import { ParleyError } from '@parley/core'
import { checkOptions } from '../parse/check-schema.ts'
import type { KeyPath } from '../schema/config.ts'
import type { PartData } from '../schema/part-schema.ts'
import type { PartContext, PartOptions, PartType } from './part-type.ts'
import type { Reporter } from './reporter.ts'

/** A section of parts, and what else its names may refer to. */
export interface PartSection<TPart> {
  readonly section: string
  /** The kind of the part, as errors name it: `tool`. */
  readonly what: string
  readonly entries: Readonly<Record<string, PartData>> | undefined
  readonly types: Readonly<Record<string, PartType<TPart>>> | undefined
  /** Registered parts, and parts of other sections. */
  readonly registered: ReadonlyMap<string, TPart>
  /** Names that agents use, with the key of one use. */
  readonly uses: ReadonlyMap<string, KeyPath>
}

/** The objects that `composeParts` needs to make parts and to report problems. */
export interface PartMaker {
  readonly reporter: Reporter
  readonly contextOf: (key: KeyPath, name: string) => PartContext
}

/** Finds the part for the name at `key`. Reports an unknown name and returns `undefined`. */
export type PartFinder<TPart> = (key: KeyPath, name: string) => TPart | undefined

/** Makes the parts of a section, and those that agents name by their type only. */
export async function composeParts<TPart>(
  { section, what, entries = {}, types = {}, registered, uses }: PartSection<TPart>,
  maker: PartMaker,
): Promise<PartFinder<TPart>> {
  const { reporter } = maker
  const made = new Map<string, TPart | undefined>(registered)
  for (const [name, { type = name, ...options }] of Object.entries(entries)) {
    const key = [section, name]
    const found = Object.hasOwn(types, type) ? types[type] : undefined
    if (found === undefined)
      reporter.unknown([...key, 'type'], { what: `${what} type`, name: type, known: Object.keys(types) })
    made.set(name, found && (await makePart(found, { key, name, options }, maker)))
  }
  for (const [name, key] of uses) {
    const type = made.has(name) || !Object.hasOwn(types, name) ? undefined : types[name]
    if (type !== undefined) made.set(name, await makePart(type, { key, name, options: {} }, maker))
  }
  return (key, name) => {
    if (made.has(name)) return made.get(name)
    reporter.unknown(key, { what, name, known: [...new Set([...made.keys(), ...Object.keys(types)])] })
    return undefined
  }
}

/** A part to make. */
export interface PartEntry {
  /** Where its options are, or the name that stands for it. */
  readonly key: KeyPath
  readonly name: string
  readonly options: PartOptions
}

/** Makes a part. Reports every invalid option and returns `undefined`. */
export async function makePart<TPart>(
  type: PartType<TPart>,
  { key, name, options }: PartEntry,
  { reporter, contextOf }: PartMaker,
): Promise<TPart | undefined> {
  const problems = type.options === undefined ? [] : checkOptions(type.options, options)
  for (const problem of problems) reporter.report([...key, ...problem.key], problem.detail)
  if (problems.length > 0) return undefined
  try {
    return await type.make(options, contextOf(key, name))
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid') && !error.info.path.includes('.') && !(error.info.path in options))
      reporter.report(key, `cannot be used: ${error.info.detail}`)
    else reporter.fail(key, error)
    return undefined
  }
}
