import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkOutputFile, checkOutputFiles, writeAtomically } from './output-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-output-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('writeAtomically()', () => {
  it('writes to the target of a symbolic link and keeps the link', () => {
    const [target, link] = [join(folder, 'target'), join(folder, 'link')]
    writeFileSync(target, 'old')
    symlinkSync(target, link)
    writeAtomically(link, 'new')
    expect([readFileSync(target, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['new', true])
  })

  it('writes to a device and does not replace it', () => {
    const link = join(folder, 'null')
    symlinkSync('/dev/null', link)
    checkOutputFile(link)
    writeAtomically(link, 'new')
    expect([readFileSync(link, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['', true])
  })
})

describe('checkOutputFile()', () => {
  it.each([
    ['an empty name', '', /^the name of a file to write is empty\. /],
    ['a directory', '.', 'Cannot write .: it is a directory.'],
    ['a file in a directory that does not exist', 'nosuch/a.json', /its directory does not exist, or is not writable\.$/],
  ])('refuses %s', (_, file, message) => {
    expect(() => checkOutputFile(file)).toThrow(message)
  })
})

describe('checkOutputFile(), for an existing file', () => {
  it('accepts times that rollcall record --learn wrote, and refuses others', () => {
    const file = join(folder, 'times.yaml')
    writeFileSync(
      file,
      '# Learned by rollcall record at 2026-01-01T00:00:00Z. For rollcall simulate --timing.\nformat: rollcall.timing/1\n',
    )
    expect(() => checkOutputFile(file)).not.toThrow()
    writeFileSync(file, 'kind: Pod\n')
    expect(() => checkOutputFile(file)).toThrow('Rollcall did not write the existing file.')
  })
})

describe('checkOutputFiles()', () => {
  it('refuses one file for two flags', () => {
    const files = { '--report': join(folder, 'a'), '--json': undefined, '--trace': join(folder, '.', 'x', '..', 'a') }
    expect(() => checkOutputFiles(files)).toThrow(/^--report and --trace both write to .*\. Give one of them another file\.$/)
    expect(() => checkOutputFiles({ '--json': '-', '--markdown': '-' })).toThrow('--json and --markdown both write to the standard output.')
    expect(() => checkOutputFiles({ '--json': '-', '--markdown': join(folder, 'a') })).not.toThrow()
  })
})
