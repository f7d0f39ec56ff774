import type { Building } from './engine-floors.ts'
import type { ImportEdge } from './import-edges.ts'
import type { SourceModule } from './source-module.ts'
import type { Violation } from './violation.ts'
import type { Manifest } from './workspace.ts'

export interface FloorsContext {
  readonly building: Building
  readonly manifest: Manifest
  readonly modules: readonly SourceModule[]
  readonly edges: readonly ImportEdge[]
}

/** Reports files in folders without a floor, and imports that point up or to another folder of the same floor. */
export function checkFloors({ building, manifest, modules, edges }: FloorsContext): readonly Violation[] {
  const rooms = new Map<string, Room>()
  const homeless: Violation[] = []
  for (const { file } of modules) {
    if (file.dev || !file.inPackage.startsWith('src/')) continue
    const room = roomOf(file.inPackage, building, manifest)
    if (room !== undefined) rooms.set(file.path, room)
    else {
      const known = Object.keys(building.floors).join(', ')
      const message = `This file is in no folder that has a floor: ${known}. Move it, or give its folder a floor in engine-floors.ts.`
      homeless.push({ rule: 'floor', file: file.path, line: 1, message })
    }
  }
  const wrong = edges.flatMap(({ from, to, line }) => {
    const [source, target] = [rooms.get(from), rooms.get(to)]
    if (source === undefined || target === undefined) return []
    if (source.name === target.name || source.floor > target.floor) return []
    const message = `${describe(source)} must not import ${to} (${describe(target)}). An import points down, or stays in its folder.`
    return [{ rule: 'floor' as const, file: from, line, message }]
  })
  return [...homeless, ...wrong]
}

interface Room {
  readonly name: string
  readonly floor: number
}

function describe({ name, floor }: Room): string {
  return floor === Infinity ? name : `${name}, floor ${floor}`
}

function roomOf(inPackage: string, { floors }: Building, manifest: Manifest): Room | undefined {
  const [, first = '', second = '', third] = inPackage.split('/')
  if (second === '') {
    const exported = JSON.stringify(manifest.exports ?? {}).includes(`"./${inPackage}"`)
    return exported ? { name: 'entry file', floor: Infinity } : undefined
  }
  const whole = floors[first]
  if (whole !== undefined) return { name: first, floor: whole }
  const each = floors[`${first}/*`]
  return each === undefined || third === undefined ? undefined : { name: `${first}/${second}`, floor: each }
}
