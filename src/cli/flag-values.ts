// Values of flags that several commands take.
import { InvalidArgumentError } from 'commander'

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || !(value > 0)) throw new InvalidArgumentError('Give a number greater than 0.')
  return value
}
