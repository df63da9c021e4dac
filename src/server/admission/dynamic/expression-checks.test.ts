// The answers were recorded from kube-apiserver v1.36.4.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fieldErrorMessage } from '../../../api/machinery/field-error.ts'
import { findExpressionErrors } from './expression-checks.ts'

interface Row {
  readonly name: string
  readonly configured: object
  readonly errors: readonly string[]
}

const rows = JSON.parse(readFileSync(new URL('./testing/recorded-expressions.json', import.meta.url), 'utf8')) as readonly Row[]

test.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, { configured, errors }) => {
  expect((await findExpressionErrors(configured, undefined)).map(fieldErrorMessage)).toEqual(errors)
})

test('an update is not refused for expressions that were stored before', async () => {
  const current = { spec: { variables: [{ name: 'a', expression: '1' }], validations: [{ expression: 'object.wrong' }] } }
  expect(await findExpressionErrors(current, current)).toEqual([])
  const next = { spec: { ...current.spec, validations: [...current.spec.validations, { expression: "variables.a == 'b'" }] } }
  expect((await findExpressionErrors(next, current)).map(({ field }) => field)).toEqual(['spec.validations[1].expression'])
})
