// Regular expressions, with the engine of Go: the time of a match is linear in the length of the text.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.regex.*

import { RE2JS } from 're2js'
import { cached } from '../../../../base/cached.ts'
import { bool, int, listOf, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { CelList } from '../values.ts'
import { matchCost } from './costs.ts'

/** Throws an error with Go's message, without its prefix, where the pattern is invalid. */
export const compilePattern = cached(1000, (pattern: string) => RE2JS.compile(pattern))

export const patternProblem = (error: unknown): string =>
  `error parsing regexp: ${(error as Error).message.replace(/^error parsing regexp: /, '')}`

function patternOf(pattern: string, prefix: string): RE2JS {
  try {
    return compilePattern(pattern)
  } catch (error) {
    throw new EvaluationError(`${prefix}${patternProblem(error)}`)
  }
}

function findAll(text: string, pattern: string, limit: bigint): CelList {
  const matcher = patternOf(pattern, 'Illegal regex: ').matcher(text)
  const found: string[] = []
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '')
  return new CelList(found)
}

const matches = (text: string, pattern: string) => patternOf(pattern, '').test(text)

export const regex: Functions = {
  matches: [member([string, string], bool, matches, matchCost), global([string, string], bool, matches, matchCost)],
  find: [member([string, string], string, (text: string, pattern: string) => findAll(text, pattern, 1n).at(0) ?? '', matchCost)],
  findAll: [
    member([string, string], listOf(string), (text: string, pattern: string) => findAll(text, pattern, -1n), matchCost),
    member([string, string, int], listOf(string), findAll, matchCost),
  ],
}
