import type { ValidationIssue } from '../schema/error-info.ts'

/** Writes what is wrong with a value: each place with its fault. */
export function describeIssues(list: readonly ValidationIssue[]): string {
  return list.map(issue => `${issue.path === '' ? 'the value' : issue.path} ${issue.message}`).join('; ')
}
