// What library calls cost, in Kubernetes' units.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.CallCost
// Kubernetes: github.com/google/cel-go/interpreter.CostTracker.costCall
import { sizeOf } from '../values.ts'

/** A step over a text or list, per character or item. */
export const perCharacter = 0.1
const perPatternCharacter = 0.25

export const traverse = ([value]: readonly unknown[]): number => Math.ceil(sizeOf(value) * perCharacter)
export const traverseTwice = ([value]: readonly unknown[]): number => Math.ceil(sizeOf(value) * 2 * perCharacter)
export const perItem = ([value]: readonly unknown[]): number => sizeOf(value)
export const buildResult = (_args: readonly unknown[], result: unknown): number => Math.ceil(sizeOf(result) * 2 * perCharacter)
export const matchCost = ([text, pattern]: readonly unknown[]): number =>
  Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter)
export const searchCost = ([text, part]: readonly unknown[]): number =>
  Math.ceil(sizeOf(text) * perCharacter) * Math.ceil(sizeOf(part) * perCharacter)
export const square = ([list]: readonly unknown[]): number => sizeOf(list) ** 2
export const product = ([one, other]: readonly unknown[]): number => sizeOf(one) * sizeOf(other)
