// The file of `--admission-control-config-file`: an AdmissionConfiguration, of which Rollcall reads the part for PodSecurity.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '../base/error-message.ts'
import { type PodSecurityConfiguration, readPodSecurity } from '../server/admission/pod-security/configuration.ts'

interface AdmissionConfiguration {
  readonly kind?: unknown
  readonly apiVersion?: unknown
  readonly plugins?: readonly { readonly name?: unknown; readonly path?: unknown; readonly configuration?: unknown }[]
}

/** Throws an Error that names the file. `log` receives a line about each plugin whose configuration has no effect. */
export async function readAdmissionConfiguration(
  file: string | undefined,
  log: (line: string) => void,
): Promise<PodSecurityConfiguration | undefined> {
  if (file === undefined) return undefined
  try {
    const { kind, apiVersion, plugins = [] } = ((await readYaml(file)) ?? {}) as AdmissionConfiguration
    if (kind !== 'AdmissionConfiguration' || !/^apiserver\.config\.k8s\.io\/v1(alpha1)?$/.test(String(apiVersion)))
      throw new Error('expected an AdmissionConfiguration of apiserver.config.k8s.io/v1')
    if (!Array.isArray(plugins)) throw new Error('plugins must be a list')
    const others = plugins.filter(({ name }) => name !== 'PodSecurity').map(({ name }) => String(name))
    if (others.length > 0) log(`note: ${file} configures ${others.join(', ')}: Rollcall reads the configuration of PodSecurity only.`)
    const found = (plugins as NonNullable<AdmissionConfiguration['plugins']>).find(({ name }) => name === 'PodSecurity')
    if (found === undefined) return undefined
    const { path, configuration } = found
    return readPodSecurity(typeof path === 'string' && path !== '' ? await readYaml(resolve(dirname(file), path)) : configuration)
  } catch (error) {
    throw new Error(`Cannot read the admission configuration ${JSON.stringify(file)}: ${messageOf(error)}`)
  }
}

async function readYaml(file: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(readFileSync(file, 'utf8'))
}
