import { ParleyError } from '@parley/core'
import { PII_KINDS, type PiiKind } from '@parley/core/masking'

/** What is removed from a cassette in addition to credentials. A cassette file holds it as its first line. */
export interface MaskSettings {
  readonly personalData: readonly PiiKind[]
  /** Regular expressions. */
  readonly patterns: readonly { readonly source: string; readonly flags: string }[]
}

/** Options of every function that writes a cassette. */
export interface MaskOptions {
  /**
   * Kinds of personal data that are replaced by stand-ins of the same form, for example `masked@example.com`. An empty list keeps
   * personal data. Credentials are always removed. @default all kinds
   */
  readonly personalData?: readonly PiiKind[] | undefined
  /** Your own patterns. What they match becomes `[MASKED]`. @default none */
  readonly patterns?: readonly RegExp[] | undefined
}

/**
 * Checks the options and makes them data.
 * @throws ParleyError `config-invalid` for an unknown kind.
 */
export function toMaskSettings(where: string, { personalData = PII_KINDS, patterns = [] }: MaskOptions): MaskSettings {
  for (const kind of personalData) {
    if (PII_KINDS.includes(kind)) continue
    const detail = `'${kind}' is unknown; known: ${PII_KINDS.join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path: `${where}.personalData`, detail })
  }
  for (const pattern of patterns) {
    if (pattern instanceof RegExp) continue
    throw new ParleyError({ code: 'config-invalid', path: `${where}.patterns`, detail: 'must be regular expressions' })
  }
  return {
    personalData: [...personalData],
    patterns: patterns.map(({ source, flags }) => ({ source, flags: flags.includes('g') ? flags : `${flags}g` })),
  }
}
