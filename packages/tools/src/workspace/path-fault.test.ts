import { describe, expect, it } from 'vitest'
import { pathFault } from './path-fault.ts'

describe('pathFault', () => {
  it.each([
    ['\\\\server\\share', 'network'],
    ['//server/share', 'network'],
    ['\\\\?\\C:\\x', 'network'],
    ['\\\\.\\COM1', 'network'],
    ['CON', 'device'],
    ['src\\nul.txt', 'device'],
    ['src/COM1', 'device'],
    ['lpt9 .log', 'device'],
    ['file.txt:stream', "':'"],
    ['.env::$DATA', "':'"],
    ['C:file.txt', "':'"],
  ])('pathFault rejects %s on Windows', (path, words) => {
    expect(pathFault(path, true)).toContain(words)
  })

  it.each(['C:\\work\\a.ts', 'c:/work/a.ts', 'src\\a.ts', 'console.ts', 'command.com.txt', 'nullable'])(
    'pathFault accepts %s on Windows',
    path => {
      expect(pathFault(path, true)).toBeUndefined()
    },
  )

  it.each(['a:b', 'con', 'a\\b', '~file', 'a/~/b', '日本語/ü.txt'])('pathFault accepts %s on other systems', path => {
    expect(pathFault(path, false)).toBeUndefined()
  })
})
