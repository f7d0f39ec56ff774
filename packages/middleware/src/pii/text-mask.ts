import { findPiiFrom, type PiiKind } from '@parley/core/masking'
import type { PiiVault } from './pii-vault.ts'

const TOKEN = /\[(?:IBAN|CARD|EMAIL|IP|SSN|PHONE)_\d+\]/g

/** Masks and restores texts of one partition. */
export interface TextMask {
  /** Returns the masked text. */
  mask(text: string): string
  /** Masks the text between `from` and `to`. The text around it is only context. */
  maskPart(text: string, from: number, to: number): MaskedPart
  /** Replaces placeholders with the real values that the vault has. */
  restore(text: string): string
}

export interface MaskedPart {
  readonly text: string
  /** The position up to which the text is masked: `to`, or the start of personal data that continues after `to`. */
  readonly end: number
}

export interface TextMaskOptions {
  readonly kinds: readonly PiiKind[]
  readonly vault: PiiVault | undefined
  readonly partition: string
}

export function createTextMask({ kinds, vault, partition }: TextMaskOptions): TextMask {
  function maskPart(text: string, from: number, to: number): MaskedPart {
    let masked = ''
    let at = from
    for (const { kind, start, end } of findPiiFrom(text, from, kinds)) {
      if (start >= to) break
      if (end > to) return { text: masked + text.slice(at, start), end: start }
      const token = vault?.token(partition, kind, text.slice(start, end)) ?? `[${kind.toUpperCase()}]`
      masked += text.slice(at, start) + token
      at = end
    }
    return { text: masked + text.slice(at, to), end: to }
  }
  return {
    mask: text => maskPart(text, 0, text.length).text,
    maskPart,
    restore: text =>
      vault === undefined ? text : text.replaceAll(TOKEN, token => vault.value(partition, token) ?? token),
  }
}
