import { readFileSync } from 'node:fs'
import { ParleyError } from '@parley/core'
import { isRecord } from '@parley/core/json-schema'
import { errorInfoSchema, messageSchema } from '@parley/core/schema'
import type { Cassette, RecordedCall, RecordedModel } from './cassette.ts'
import { errorMessage } from './error-message.ts'
import type { MaskSettings } from './masking/mask-settings.ts'

/** Version of the file format. A newer file is refused. */
export const CASSETTE_VERSION = 1

/**
 * Reads a cassette file.
 * @throws ParleyError `file-unreadable` if the file is missing, empty, damaged or of a newer version.
 */
export function readCassette(file: string): Cassette {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = isRecord(error) && error['code'] === 'ENOENT'
    throw unreadable(
      file,
      isMissing ? 'there is no such cassette. Record it with recordModel first.' : errorMessage(error),
    )
  }
  return parseCassette(text, file)
}

/** Reads the text of a cassette file. An unfinished last line, which a killed process leaves, is ignored. */
export function parseCassette(text: string, file: string): Cassette {
  if (text.trim() === '') throw unreadable(file, 'the cassette is empty. Record it with recordModel first.')
  const lines = text.split('\n')
  // After a complete line the text ends with an empty one.
  const unfinished = lines.pop() ?? ''
  // A file that an editor saved can lack the last line break.
  if (unfinished !== '' && isJsonText(unfinished)) lines.push(unfinished)
  const [first = '', ...rest] = lines
  const masks = readHeader(first, file)
  const models: RecordedModel[] = []
  const calls: RecordedCall[] = []
  for (const [index, line] of rest.entries()) {
    if (line.trim() === '') continue
    try {
      readLine(JSON.parse(line), models, calls)
    } catch (error) {
      throw unreadable(file, `line ${index + 2} is damaged (${errorMessage(error)}). Record the cassette again.`)
    }
  }
  return { masks, models, calls: calls.toSorted((a, b) => a.call - b.call) }
}

function readHeader(line: string, file: string): MaskSettings {
  const header = isJsonText(line) ? (JSON.parse(line) as unknown) : undefined
  if (!isRecord(header) || header['parley'] !== 'cassette') {
    throw unreadable(file, 'it is not a cassette: its first line is not {"parley":"cassette",…}.')
  }
  const { version, masks } = header
  if (version !== CASSETTE_VERSION) {
    const advice = Number(version) > CASSETTE_VERSION ? 'Update @parley/evals.' : 'Record the cassette again.'
    const shown = JSON.stringify(version)
    throw unreadable(
      file,
      `it has version ${shown} of the format, and this version of @parley/evals reads ${CASSETTE_VERSION}. ${advice}`,
    )
  }
  if (!isMasks(masks)) throw unreadable(file, "its first line has no valid 'masks'. Record the cassette again.")
  return masks
}

function isMasks(masks: unknown): masks is MaskSettings {
  if (!isRecord(masks) || !Array.isArray(masks['personalData']) || !Array.isArray(masks['patterns'])) return false
  return masks['patterns'].every(each => isRecord(each) && isPattern(each['source'], each['flags']))
}

function isPattern(source: unknown, flags: unknown): boolean {
  try {
    return typeof source === 'string' && typeof flags === 'string' && new RegExp(source, flags).global
  } catch {
    return false
  }
}

function readLine(line: unknown, models: RecordedModel[], calls: RecordedCall[]): void {
  if (isRecord(line) && isRecord(line['model'])) {
    const { provider, id, info } = line['model']
    if (typeof provider !== 'string' || typeof id !== 'string' || !isRecord(info)) throw new Error("'model' is invalid")
    models.push({ provider, id, info })
    return
  }
  calls.push(toCall(line))
}

function toCall(line: unknown): RecordedCall {
  if (!isRecord(line)) throw new Error('it is not an object')
  const { call, model, request, events, ms, end } = line
  if (typeof call !== 'number' || typeof model !== 'string') throw new Error("'call' or 'model' is missing")
  if (typeof ms !== 'number') throw new Error("'ms' is missing")
  if (!isRecord(request) || !Array.isArray(request['messages'])) throw new Error("'request.messages' is missing")
  for (const message of request['messages']) messageSchema.parse(message)
  if (!Array.isArray(events) || !events.every(isTimedEvent)) throw new Error("'events' is not a list of [ms, event]")
  if (end !== 'finished' && end !== 'stopped') {
    if (!isRecord(end)) throw new Error("'end' is missing")
    errorInfoSchema.parse(end['error'])
  }
  return line as unknown as RecordedCall
}

function isTimedEvent(timed: unknown): boolean {
  if (!Array.isArray(timed) || timed.length !== 2) return false
  const [ms, event] = timed as readonly unknown[]
  return typeof ms === 'number' && isRecord(event) && typeof event['type'] === 'string'
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function unreadable(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'file-unreadable', path, detail })
}
