import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { canonicalJson, ParleyError } from '@parley/core'
import type { Cassette, RecordedCall, RecordedModel } from './cassette.ts'
import { errorMessage } from './error-message.ts'
import { CASSETTE_VERSION, parseCassette } from './parse-cassette.ts'
import type { MaskSettings } from './masking/mask-settings.ts'

/** Writes the calls of one process to a cassette file, a line for each call. */
export interface CassetteWriter {
  /** Returns the number of a call that begins now. */
  begin(): number
  /** Adds a call that has ended. The line is written at once and as a whole, so that a kill loses open calls only. */
  add(model: RecordedModel, call: RecordedCall): void
}

interface KnownWriter {
  readonly writer: CassetteWriter
  readonly masks: string
}

const writers = new Map<string, KnownWriter>()

/**
 * Returns the writer of a file. The models of one process that are recorded to the same file share it.
 * @throws ParleyError `config-invalid` if the file is recorded with other masks; `file-unreadable` if a file to continue is damaged.
 */
export function findWriter(path: string, masks: MaskSettings, existing: 'replace' | 'append'): CassetteWriter {
  const settings = canonicalJson(masks)
  const known = writers.get(path) ?? { writer: createWriter(path, masks, existing), masks: settings }
  if (known.masks !== settings) throw otherMasks(path)
  writers.set(path, known)
  return known.writer
}

function createWriter(path: string, masks: MaskSettings, existing: 'replace' | 'append'): CassetteWriter {
  const continued = existing === 'append' && existsSync(path) ? continueFile(path, masks) : undefined
  const models = new Set(continued?.models.map(nameOf))
  let count = continued?.calls.at(-1)?.call ?? 0
  let isOpen = continued !== undefined
  return {
    begin: () => ++count,
    add(model, call) {
      try {
        if (!isOpen) {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, headerLine(masks))
          isOpen = true
        }
        const isKnown = models.has(nameOf(model))
        models.add(nameOf(model))
        appendFileSync(path, isKnown ? callLine(call) : modelLine(model) + callLine(call))
      } catch (error) {
        const detail = `the call was not recorded: ${errorMessage(error)}`
        throw new ParleyError({ code: 'config-invalid', path: `recordModel.file '${path}'`, detail }, { cause: error })
      }
    },
  }
}

/** Reads a file that is continued, and removes an unfinished last line, which a killed process leaves. */
function continueFile(path: string, masks: MaskSettings): Cassette {
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const cassette = parseCassette(whole, path)
  if (canonicalJson(cassette.masks) !== canonicalJson(masks)) throw otherMasks(path)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  return cassette
}

function otherMasks(path: string): ParleyError {
  const detail = `'${path}' is recorded with other values of personalData or patterns; use the same for all models of a file`
  return new ParleyError({ code: 'config-invalid', path: 'recordModel.file', detail })
}

function nameOf({ provider, id }: Pick<RecordedModel, 'provider' | 'id'>): string {
  return `${provider}/${id}`
}

/** The text of a cassette file. */
export function cassetteText({ masks, models, calls }: Cassette): string {
  return headerLine(masks) + models.map(modelLine).join('') + calls.map(callLine).join('')
}

function headerLine(masks: MaskSettings): string {
  return `${JSON.stringify({ parley: 'cassette', version: CASSETTE_VERSION, masks })}\n`
}

function modelLine({ provider, id, info }: RecordedModel): string {
  return `${JSON.stringify({ model: { provider, id, info } })}\n`
}

function callLine({ call, model, request, events, ms, end }: RecordedCall): string {
  return `${JSON.stringify({ call, model, request, events, ms, end })}\n`
}
