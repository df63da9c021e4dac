import { describe, expect, it } from 'vitest'
import { StatusError } from '../../api/machinery/status-error.ts'
import { readDeleteOptions } from './delete-options.ts'
import { managerOf, readListOptions, readPatchOptions, readTimeoutMs, readWriteOptions } from './options.ts'
import { Query } from './query.ts'

const request = (query: string) => ({
  query: new Query(query),
  caller: { name: 'a', groups: [] },
  userAgent: 'kubectl/v1.36 (linux)',
  warn: () => {},
})

function refusal(run: () => unknown): { readonly code: number; readonly message: string } {
  try {
    run()
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('It was not refused')
}

describe('Query', () => {
  it.each([
    ['plus is a space', 'a=b+c', ['b c']],
    ['escapes', 'a=%3D%2B', ['=+']],
    ['several values', 'a=1&a=2', ['1', '2']],
    ['no value', 'a', ['']],
    ['a broken escape is left out', 'a=%zz&a=2', ['2']],
    ['bytes that are no UTF-8', 'a=%ff', ['\ufffd']],
    ['nothing', '', []],
  ])('%s', (_name, text, expected) => {
    expect(new Query(text).all('a')).toEqual(expected)
  })

  it.each([
    ['watch=1', true],
    ['watch=true', true],
    ['watch', true],
    ['watch=', true],
    ['watch=0', false],
    ['watch=False', false],
    ['', undefined],
  ])('reads the flag in %j', (text, expected) => {
    expect(new Query(text).flag('watch')).toBe(expected)
  })
})

describe('readListOptions()', () => {
  it('hands on what selects', () => {
    const options = readListOptions(new Query('labelSelector=a%3Db&fieldSelector=c%3Dd&limit=5&continue=x&resourceVersion=7'), false)
    expect(options.list).toEqual({ labelSelector: 'a=b', fieldSelector: 'c=d', limit: 5, continue: 'x', resourceVersion: '7' })
    expect(options.watch).toBe(false)
  })

  it('hands on what does not go together, for the verbs to refuse', () => {
    const query = 'sendInitialEvents=1&resourceVersionMatch=Exact&continue=x'
    const expected = { sendInitialEvents: true, resourceVersionMatch: 'Exact', continue: 'x' }
    expect(readListOptions(new Query(query), false).list).toEqual(expected)
    expect(readListOptions(new Query(query), true).watching).toEqual(expected)
  })

  it('sends what is there to a watch that names no version', () => {
    expect(readListOptions(new Query('watch=1'), false).watching).toEqual({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' })
    expect(readListOptions(new Query('watch=1&resourceVersion=5'), false).watching).toEqual({ resourceVersion: '5' })
  })

  it.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=99999999999999999999', 400, 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['timeoutSeconds=1.5', 400, 'strconv.ParseInt: parsing "1.5": invalid syntax'],
  ])('refuses %s', (query, code, message) => {
    expect(refusal(() => readListOptions(new Query(query), false))).toEqual({ code, message })
  })

  it('watches one object on the old paths', () => {
    expect(readListOptions(new Query(''), true, 'x').watching.fieldSelector).toBe('metadata.name=x')
    expect(refusal(() => readListOptions(new Query('fieldSelector=metadata.name%3Dy'), true, 'x')).message).toBe(
      "fieldSelector metadata.name doesn't match requested name",
    )
  })
})

describe('readWriteOptions() and readPatchOptions()', () => {
  it('takes the manager from the User-Agent', () => {
    expect(readWriteOptions('CreateOptions', request('')).manager).toBe('kubectl')
    expect(readWriteOptions('CreateOptions', request('fieldManager=me&dryRun=All'))).toMatchObject({
      manager: 'me',
      dryRun: true,
      fieldValidation: 'Warn',
    })
  })

  it.each([
    ['dryRun=Some', 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      'fieldValidation=No',
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "No": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [`fieldManager=${'m'.repeat(129)}`, 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes'],
    [
      'fieldManager=a%07',
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\u0007": invalid character U+0007 (at position 1)',
    ],
  ])('refuses %s', (query, message) => {
    const got = refusal(() => readWriteOptions('CreateOptions', request(query)))
    expect(got.code).toBe(422)
    expect(got.message.replace('\\a', '\\u0007')).toBe(message)
  })

  it('requires a manager for apply, and force only there', () => {
    expect(refusal(() => readPatchOptions('apply', request(''))).message).toContain(
      'fieldManager: Required value: is required for apply patch',
    )
    expect(refusal(() => readPatchOptions('merge', request('force=true'))).message).toContain(
      'force: Forbidden: may not be specified for non-apply patch',
    )
    expect(readPatchOptions('apply', request('fieldManager=a&force=true'))).toMatchObject({ manager: 'a', force: true })
  })

  it.each([
    ['curl/8.0', 'curl'],
    [undefined, 'unknown'],
    ['a\u0000b/1', 'ab'],
    ['é'.repeat(100), 'é'.repeat(64)],
  ])('makes a manager of %j', (agent, expected) => {
    expect(managerOf(agent)).toBe(expected)
  })
})

describe('readDeleteOptions()', () => {
  it('reads the query where there is no body', async () => {
    const options = await readDeleteOptions(request('gracePeriodSeconds=3&propagationPolicy=Orphan&dryRun=All'), Buffer.alloc(0), 'json')
    expect(options).toMatchObject({ gracePeriodSeconds: 3, propagationPolicy: 'Orphan', dryRun: true })
  })

  it('reads the body and not the query where there is one', async () => {
    const body = '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":{"uid":"u","resourceVersion":"5"}}'
    const options = await readDeleteOptions(request('gracePeriodSeconds=3'), Buffer.from(body), 'json')
    expect(options).toMatchObject({ gracePeriodSeconds: 0, preconditions: { uid: 'u', resourceVersion: '5' }, dryRun: false })
  })

  it('reads YAML', async () => {
    expect(
      await readDeleteOptions(request(''), Buffer.from('propagationPolicy: Foreground\ngracePeriodSeconds: 7\n'), 'yaml'),
    ).toMatchObject({
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 7,
    })
  })

  it.each([
    ['a broken body', '{', 400],
    ['a list', '[]', 400],
    ['a wrong type', '{"gracePeriodSeconds":"x"}', 400],
    ['half a second', '{"gracePeriodSeconds":0.5}', 400],
    ['another kind', '{"kind":"Pod","apiVersion":"v1"}', 400],
    ['a policy that is none', '{"propagationPolicy":"Maybe"}', 422],
    ['two policies', '{"propagationPolicy":"Orphan","orphanDependents":true}', 422],
  ])('refuses %s', async (_name, body, code) => {
    await expect(readDeleteOptions(request(''), Buffer.from(body), 'json')).rejects.toMatchObject({ code })
  })

  it('ignores inherited fields', async () => {
    const options = await readDeleteOptions(request(''), Buffer.from('{"__proto__":{"gracePeriodSeconds":5}}'), 'json')
    expect(options.gracePeriodSeconds).toBeUndefined()
  })
})

describe('readTimeoutMs()', () => {
  it.each([
    ['timeout=32s', 32_000],
    ['timeout=1m30s', 90_000],
    ['timeout=1.5s', 1500],
    ['timeout=.5s', 500],
    ['timeout=500\u00b5s', 0.5],
    ['timeout=0', 0],
    ['', 0],
  ])('reads %j', (query, expected) => {
    expect(readTimeoutMs(new Query(query))).toBe(expected)
  })

  it.each([
    ['timeout=30', 'invalid timeout specified in the request URL - time: missing unit in duration "30"'],
    ['timeout=1s.', 'invalid timeout specified in the request URL - time: invalid duration "1s."'],
    ['timeout=soon', 'invalid timeout specified in the request URL - time: invalid duration "soon"'],
  ])('refuses %s', (query, message) => {
    expect(refusal(() => readTimeoutMs(new Query(query))).message).toBe(message)
  })

  it('refuses a long one at once', { timeout: 2000 }, () => {
    expect(refusal(() => readTimeoutMs(new Query(`timeout=${'1'.repeat(60_000)}x`))).message).toMatch(/invalid duration/)
  })
})
