import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { kubeconfigPathsOf } from './cluster-folder.ts'

describe('kubeconfigPathsOf()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-find-'))
  const here = join(folder, '.rollcall', 'kubeconfig')
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['--kubeconfig before all', { kubeconfig: 'a', dataDir: 'b' }, 'c', resolve(folder, 'a')],
    ['--data-dir before KUBECONFIG', { dataDir: 'b' }, 'c', resolve(folder, 'b', 'kubeconfig')],
    ['what KUBECONFIG names', {}, 'c', 'c'],
    ['the one of this directory by default', {}, undefined, here],
  ])('takes %s', (_, options, named, path) => {
    mkdirSync(join(folder, '.rollcall'), { recursive: true })
    writeFileSync(here, '')
    expect(kubeconfigPathsOf(options, named === undefined ? {} : { KUBECONFIG: named })).toEqual([path])
  })
})
