// Input that cannot be played: one line that says where and what.
import type { Place } from './plan.ts'

export class InputError extends Error {
  readonly place: Place | undefined

  constructor(message: string, place?: Place) {
    super(place === undefined ? message : `${formatPlace(place)}: ${message}`)
    this.name = 'InputError'
    this.place = place
  }
}

/** `web.yaml:12:3`. */
export const formatPlace = ({ source, line, column }: Place): string =>
  [source, ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])])].join(':')
