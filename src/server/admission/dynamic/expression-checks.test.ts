// The answers were recorded from kube-apiserver v1.37.1.
import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { fieldErrorMessage, invalid } from '../../../api/machinery/field-error.ts'
import { findExpressionErrors, findSelectorErrors } from './expression-checks.ts'

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

describe('findSelectorErrors()', () => {
  // The messages are those of kube-apiserver v1.37.1.
  const deviceClass = (expression: string) => ({ spec: { selectors: [{ cel: { expression } }] } })
  it.each([
    ['device.driver == "a"', undefined],
    ['device.attributes["a"].b', undefined],
    ['device.capacity["a"].memory.isGreaterThan(quantity("1Gi"))', undefined],
    ['cel.bind(a, device.attributes["a"], a.b)', undefined],
    ['1', 'must evaluate to bool or the unknown type, not int'],
    ['device.name == "a"', 'compilation failed: ERROR: <input>:1:7: undefined field \'name\'\n | device.name == "a"\n | ......^'],
  ])('%s', async (expression, message) => {
    const path = 'spec.selectors[0].cel.expression'
    const found = await findSelectorErrors(deviceClass(expression), undefined)
    expect(found).toEqual(message === undefined ? [] : [invalid(path, expression, message)])
    expect(await findSelectorErrors(deviceClass(expression), deviceClass(expression))).toEqual([])
  })

  it('reads the requests of claims and templates', async () => {
    const requests = [{ name: 'a', exactly: { selectors: [{ cel: { expression: '1' } }] } }]
    const [found] = await findSelectorErrors({ spec: { spec: { devices: { requests } } } }, undefined)
    expect(found?.field).toBe('spec.spec.devices.requests[0].exactly.selectors[0].cel.expression')
  })
})
