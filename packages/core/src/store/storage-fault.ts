/** Most levels of lists and objects in a value of a journal. `JSON.stringify` overflows the stack at about 4500 levels. */
export const MOST_LEVELS = 256
/** Most characters in the texts of one entry. V8 makes no string above 512 million characters, PostgreSQL no field above 1 GB. */
const MOST_CHARACTERS = 100_000_000
const TOO_DEEP = `is nested more than ${MOST_LEVELS} levels deep`

/**
 * Returns why a store cannot keep a value and read it back, or `undefined` if it can. A cycle counts as too deep. A store keeps
 * journals as JSON text, in which any character can be written.
 */
export function storageFault(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return faultIn(value, MOST_LEVELS, { left: MOST_CHARACTERS })
}

/** Returns the fault of a text that contains JSON, without parsing it: the text may be malformed or nested too deeply to be parsed. */
export function jsonTextFault(text: string): string | undefined {
  if (text.length <= MOST_LEVELS) return undefined
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isString = false
    } else if (code === QUOTE) isString = true
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MOST_LEVELS) return TOO_DEEP
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Characters and values that one entry may still have. A value that is referred to several times counts each time. */
interface Room {
  left: number
}

function faultIn(value: unknown, levels: number, room: Room): string | undefined {
  if (typeof value === 'bigint') return 'contains a BigInt, which JSON does not have'
  room.left -= typeof value === 'string' ? value.length : 1
  if (room.left < 0) return `is larger than ${MOST_CHARACTERS} characters`
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return TOO_DEEP
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultIn(item, levels - 1, room)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  for (const key in value) {
    room.left -= key.length
    const fault = faultIn((value as Record<string, unknown>)[key], levels - 1, room)
    if (fault !== undefined) return fault
  }
  return undefined
}
