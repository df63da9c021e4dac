// Tests in tables: each row has a name, a change of a valid object, and the messages of Kubernetes about the result.
import { describe, expect, it } from 'vitest'
import { fieldErrorMessage, withDeclaredLast } from '../machinery/field-error.ts'
import { context, makeObject } from './make-object.ts'

type Judge = (...values: never[]) => Parameters<typeof fieldErrorMessage>[0][]
/** A valid object of some kind, and how the server prepares it. */
export interface Subject {
  readonly type: string
  readonly strategy: object
  readonly base: object
}
type CreateRow = readonly [name: string, change: object, messages: readonly string[]]
type UpdateRow = readonly [name: string, next: object, current: object, messages: readonly string[]]

export const make = ({ type, strategy, base }: Subject, change: object) => makeObject(type, strategy, base, change)
export const run = (judge: Judge, ...values: unknown[]) =>
  withDeclaredLast(judge(...([...values, context] as never[]))).map(fieldErrorMessage)

export function creates(judge: Judge, subject: Subject, rows: readonly CreateRow[]): void {
  describe(`${judge.name}()`, () => {
    it.each(rows)('judges %s', (_, change, messages) => expect(run(judge, make(subject, change))).toEqual(messages))
  })
}

export function updates(judge: Judge, subject: Subject, rows: readonly UpdateRow[]): void {
  describe(`${judge.name}()`, () => {
    it.each(rows)('judges %s', (_, next, current, messages) => {
      expect(run(judge, make(subject, next), make(subject, current))).toEqual(messages)
    })
  })
}
