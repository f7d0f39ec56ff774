import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readWorkspaces } from './workspace.ts'

it('readWorkspaces finds the place of every package of this repository', () => {
  const workspaces = readWorkspaces(fileURLToPath(new URL('../../../', import.meta.url)))
  expect(workspaces.length).toBeGreaterThan(5)
  expect(workspaces.filter(workspace => workspace.place === undefined)).toEqual([])
})
