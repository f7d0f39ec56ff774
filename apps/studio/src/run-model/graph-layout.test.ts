import { expect, test } from 'vitest'
import { layoutGraph } from './graph-layout.ts'

const node = (id: string, parent?: string) => ({ id, type: 'agent', label: id, parent })

test('a step stands below the steps that it follows, and beside those that it does not', () => {
  const placed = layoutGraph({
    nodes: [node('a'), node('b'), node('c'), node('d')],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'd' },
      { from: 'c', to: 'd' },
    ],
  })
  const y = Object.fromEntries(placed.map(place => [place.node.id, place.y]))
  expect(y['a']).toBeLessThan(y['b'] ?? 0)
  expect(y['b']).toBe(y['c'])
  expect(y['c']).toBeLessThan(y['d'] ?? 0)
})

test('a step that contains steps is large enough for them', () => {
  const placed = layoutGraph({
    nodes: [node('map'), node('one', 'map'), node('two', 'map')],
    edges: [{ from: 'one', to: 'two' }],
  })
  const [outer, ...inner] = placed
  for (const place of inner) {
    expect(place.x + place.width).toBeLessThanOrEqual(outer?.width ?? 0)
    expect(place.y + place.height).toBeLessThanOrEqual(outer?.height ?? 0)
  }
  expect(inner).toHaveLength(2)
})

test('a circle of steps is placed, too', () => {
  const edges = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  expect(layoutGraph({ nodes: [node('a'), node('b')], edges })).toHaveLength(2)
})
