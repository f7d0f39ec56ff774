import { findPii } from './find-pii.ts'
import type { PiiKind } from './pii-span.ts'
import type { PiiVault } from './pii-vault.ts'

const TOKEN = /\[(?:IBAN|CARD|EMAIL|IP|SSN|PHONE)_\d+\]/g

/** Masks and restores texts of one partition. */
export interface TextMask {
  /** Returns the text from `from` (by default 0) on, masked. The text before `from` is only context. */
  mask(text: string, from?: number): string
  /** Replaces placeholders with the real values that the vault has. */
  restore(text: string): string
}

export interface TextMaskOptions {
  readonly kinds: readonly PiiKind[]
  readonly vault: PiiVault | undefined
  readonly partition: string
}

export function createTextMask({ kinds, vault, partition }: TextMaskOptions): TextMask {
  return {
    mask(text, first = 0) {
      let masked = ''
      let from = first
      for (const { kind, start, end } of findPii(text, kinds)) {
        if (start < first) continue
        const token = vault?.token(partition, kind, text.slice(start, end)) ?? `[${kind.toUpperCase()}]`
        masked += text.slice(from, start) + token
        from = end
      }
      return masked + text.slice(from)
    },
    restore: text =>
      vault === undefined ? text : text.replaceAll(TOKEN, token => vault.value(partition, token) ?? token),
  }
}
