import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readAdmissionConfiguration } from './admission-configuration.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-admission-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const podSecurity = `apiVersion: pod-security.admission.config.k8s.io/v1
kind: PodSecurityConfiguration
exemptions: { namespaces: [kube-system] }
`
const configurationOf = (plugins: string) => `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: ${plugins}\n`

async function read(text: string) {
  const file = join(folder, 'admission.yaml')
  writeFileSync(file, text)
  const lines: string[] = []
  const found = await readAdmissionConfiguration(file, (line) => lines.push(line))
  return { exempt: found?.exemptions.namespaces, lines }
}

describe('readAdmissionConfiguration()', () => {
  it('reads the part for PodSecurity', async () => {
    const inline = JSON.stringify([{ name: 'PodSecurity', configuration: 'TEXT' }]).replace('"TEXT"', `{${flow}}`)
    expect(await read(configurationOf(inline))).toEqual({ exempt: ['kube-system'], lines: [] })
  })

  it('reads a file that is named beside it', async () => {
    writeFileSync(join(folder, 'pods.yaml'), podSecurity)
    expect(await read(configurationOf('[{ name: PodSecurity, path: pods.yaml }]'))).toEqual({ exempt: ['kube-system'], lines: [] })
  })

  it('says which other plugins have no effect', async () => {
    const { exempt, lines } = await read(configurationOf('[{ name: EventRateLimit, path: a.yaml }]'))
    expect(exempt).toBeUndefined()
    expect(lines).toEqual([expect.stringMatching(/configures EventRateLimit: Rollcall reads the configuration of PodSecurity only\.$/)])
  })

  it.each([
    ['another kind', 'kind: Pod\napiVersion: v1\n', 'expected an AdmissionConfiguration of apiserver.config.k8s.io/v1'],
    ['a map of plugins', configurationOf('{}'), 'plugins must be a list'],
    ['a missing file', configurationOf('[{ name: PodSecurity, path: missing.yaml }]'), 'ENOENT'],
    ['a wrong configuration', configurationOf('[{ name: PodSecurity, configuration: {} }]'), 'expected a PodSecurityConfiguration'],
  ])('refuses %s, and names the file', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
    await expect(read(text)).rejects.toThrow(JSON.stringify(join(folder, 'admission.yaml')))
  })
})

const flow =
  '"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", "exemptions": { "namespaces": ["kube-system"] }'
