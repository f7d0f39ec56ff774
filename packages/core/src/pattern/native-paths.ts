import type { PatternNode } from './pattern-node.ts'

/**
 * Bounds the number of ways in which a backtracking engine can try to match a text: `factor` times the length of the
 * text to the power of `degree`.
 */
export interface NativePaths {
  readonly factor: number
  readonly degree: number
}

const UNBOUNDED: NativePaths = { factor: 1, degree: Infinity }

/** Counts how many ways a backtracking engine may have to try. */
export function nativePaths(node: PatternNode): NativePaths {
  switch (node.type) {
    case 'sequence':
      return node.parts.map(nativePaths).reduce(multiply, { factor: 1, degree: 0 })
    case 'choice':
      return node.options.map(nativePaths).reduce(add)
    case 'look':
      return UNBOUNDED
    case 'repeat':
      return repeated(node.part, node.min, node.max)
    case 'character':
    case 'anchor':
      return { factor: 1, degree: 0 }
  }
}

function repeated(part: PatternNode, min: number, max: number): NativePaths {
  if (part.type === 'character') {
    if (max === Infinity) return { factor: 1, degree: 1 }
    return { factor: max - min + 1, degree: 0 }
  }
  if (max === Infinity) return UNBOUNDED
  const { factor, degree } = nativePaths(part)
  return { factor: (factor + (min === max ? 0 : 1)) ** max, degree: degree * max }
}

function multiply(one: NativePaths, other: NativePaths): NativePaths {
  return { factor: one.factor * other.factor, degree: one.degree + other.degree }
}

function add(one: NativePaths, other: NativePaths): NativePaths {
  return { factor: one.factor + other.factor, degree: Math.max(one.degree, other.degree) }
}
