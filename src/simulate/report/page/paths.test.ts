import { describe, expect, it } from 'vitest'
import { stepArea, stepAreasAbove, stepLine } from './paths.ts'

const places = { x: (ms: number) => ms, y: (value: number) => 100 - value }
const times = [0, 10, 20, 30]
const all = [0, 1, 2, 3]

describe('stepLine()', () => {
  it('holds each value until the next', () => expect(stepLine(times, [1, 5, 5, 2], all, places)).toBe('M0,99H10V95H30V98H30'))
})

describe('stepArea()', () => {
  it('follows the upper line, and returns along the lower', () =>
    expect(stepArea(times, [3, 5, 5, 5], [1, 1, 2, 2], all, places)).toBe('M0,97H10V95H30V98H20V99H0Z'))
})

describe('stepAreasAbove()', () => {
  it('has an area for each time that is above', () =>
    expect(stepAreasAbove(times, [5, 3, 6, 3], [3, 3, 3, 3], all, places)).toBe('M0,95H10V97H10V97H0ZM20,94H30V97H30V97H20Z'))
  it('is empty where nothing is', () => expect(stepAreasAbove(times, [1, 1, 1, 1], [3, 3, 3, 3], all, places)).toBe(''))
  it('continues to the end', () => expect(stepAreasAbove(times, [1, 1, 6, 6], [3, 3, 3, 3], all, places)).toBe('M20,94H30V97H20Z'))
})
