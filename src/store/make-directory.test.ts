import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDirectory } from './make-directory.ts'

const root = mkdtempSync(join(tmpdir(), 'rollcall-directory-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('makeDirectory()', () => {
  it('creates the parents, and accepts an existing directory', () => {
    const path = join(root, 'a', 'b', 'c')
    for (let i = 0; i < 2; i++) makeDirectory(path)
    for (const made of [path, join(root, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it('fails when a file has that name', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeDirectory(join(root, 'file', 'b'))).toThrow('ENOTDIR')
    expect(() => makeDirectory(join(root, 'file'))).toThrow('EEXIST')
  })

  it.skipIf(process.platform !== 'linux')('returns where nothing can be made', () => {
    expect(() => makeDirectory('/proc/rollcall/store')).toThrow(/ENOENT|EACCES|EPERM/)
  })
})
