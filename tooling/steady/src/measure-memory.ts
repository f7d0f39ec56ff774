import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the memory of a process, its descendants and the other processes of its session, in bytes. A page that processes
 * share counts once, if the system tells its share. 0 on a system without `/proc`.
 */
export function measureMemory(root: number, folder = '/proc'): number {
  return [...findFamily(root, folder)].reduce((sum, pid) => sum + memoryOf(`${folder}/${pid}`), 0)
}

function findFamily(root: number, folder: string): ReadonlySet<number> {
  const family = new Set([root])
  const others = new Map(processesIn(folder).map(each => [each.pid, each]))
  for (let before = 0; before !== family.size;) {
    before = family.size
    for (const { pid, parent, session } of others.values()) if (session === root || family.has(parent)) family.add(pid)
  }
  return family
}

interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly session: number
}

function processesIn(folder: string): readonly ProcessFacts[] {
  return namesIn(folder).flatMap(name => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    // The name of the program stands in brackets and may contain spaces and brackets.
    const [, parent, , session] = (textOf(`${folder}/${pid}/stat`).split(') ').at(-1) ?? '').split(' ')
    return [{ pid, parent: Number(parent), session: Number(session) }]
  })
}

function memoryOf(folder: string): number {
  const [, share] = /^Pss:\s+(\d+) kB/m.exec(textOf(`${folder}/smaps_rollup`)) ?? []
  if (share !== undefined) return Number(share) * 1024
  const [, resident] = /^VmRSS:\s+(\d+) kB/m.exec(textOf(`${folder}/status`)) ?? []
  return Number(resident ?? 0) * 1024
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Reads a file. A process can end at any time, and then has none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
