// The configuration of the plugin: the policy of namespaces without labels, and what is exempt.
// Kubernetes: k8s.io/pod-security-admission/admission/api/load.LoadFromData
// Kubernetes: k8s.io/pod-security-admission/admission/api/validation.ValidatePodSecurityConfiguration
// Kubernetes: k8s.io/pod-security-admission/admission/api.ToPolicy
import { duplicate, type FieldError, fieldErrorMessage, invalid } from '../../../api/machinery/field-error.ts'
import { isDns1123Label, isDns1123Subdomain } from '../../../api/machinery/validation/names.ts'
import { levelLabel, levelProblem, modes, type Policy, readPolicy, versionLabel, versionProblem } from './policy.ts'

export interface PodSecurityConfiguration {
  readonly defaults: Policy
  readonly exemptions: Exemptions
}

interface Exemptions {
  readonly usernames: readonly string[]
  readonly runtimeClasses: readonly string[]
  readonly namespaces: readonly string[]
}

const latest = Number.POSITIVE_INFINITY
const privileged: Policy = {
  enforce: { level: 'privileged', minor: latest },
  audit: { level: 'privileged', minor: latest },
  warn: { level: 'privileged', minor: latest },
}

export const defaultPodSecurity: PodSecurityConfiguration = {
  defaults: privileged,
  exemptions: { usernames: [], runtimeClasses: [], namespaces: [] },
}

const group = 'pod-security.admission.config.k8s.io'
const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`)

/** Reads a PodSecurityConfiguration. Throws an Error that says what is wrong with it. */
export function readPodSecurity(given: unknown): PodSecurityConfiguration {
  const { kind, apiVersion, defaults, exemptions } = isFields(given) ? given : {}
  if (kind !== 'PodSecurityConfiguration' || !apiVersions.includes(String(apiVersion)))
    throw new Error(`expected a PodSecurityConfiguration of ${group}/v1`)
  const labels = labelsOf(defaults)
  const exempt = exemptionsOf(exemptions)
  const errors = [...defaultErrors(labels), ...exemptionErrors(exempt)]
  if (errors.length > 0) throw new Error(errors.map(fieldErrorMessage).join(', '))
  // Here, unlike in a namespace, a level to enforce is no reason to warn.
  const { policy } = readPolicy({ [levelLabel('warn')]: 'privileged', ...labels }, privileged)
  return { defaults: policy, exemptions: exempt }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The defaults as labels of a namespace. */
function labelsOf(defaults: unknown): Readonly<Record<string, string>> {
  if (defaults !== undefined && !isFields(defaults)) throw new Error('defaults must be a map')
  const labels: Record<string, string> = {}
  for (const mode of modes)
    for (const [field, label] of [
      [mode, levelLabel(mode)],
      [`${mode}-version`, versionLabel(mode)],
    ] as const) {
      const value = defaults?.[field]
      if (value !== undefined && typeof value !== 'string') throw new Error(`defaults.${field} must be a string`)
      if (value) labels[label] = value
    }
  return labels
}

function exemptionsOf(exemptions: unknown): Exemptions {
  if (exemptions !== undefined && !isFields(exemptions)) throw new Error('exemptions must be a map')
  const namesOf = (field: string) => {
    const names = exemptions?.[field] ?? []
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
      throw new Error(`exemptions.${field} must be a list of strings`)
    return names as readonly string[]
  }
  return { usernames: namesOf('usernames'), runtimeClasses: namesOf('runtimeClasses'), namespaces: namesOf('namespaces') }
}

function defaultErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  const errorOf = (field: string, value: string | undefined, problemOf: (text: string) => string | undefined) => {
    const problem = value === undefined ? undefined : problemOf(value)
    return problem === undefined ? [] : [invalid(`defaults.${field}`, value, problem)]
  }
  return modes.flatMap((mode) => [
    ...errorOf(mode, labels[levelLabel(mode)], levelProblem),
    ...errorOf(`${mode}-version`, labels[versionLabel(mode)], versionProblem),
  ])
}

const problemsOf: Readonly<Record<keyof Exemptions, (name: string) => readonly string[]>> = {
  namespaces: isDns1123Label,
  runtimeClasses: isDns1123Subdomain,
  usernames: (name) => (name === '' ? ['username must not be empty'] : []),
}

const exemptionErrors = (exemptions: Exemptions): FieldError[] =>
  (Object.keys(problemsOf) as (keyof Exemptions)[]).flatMap((field) =>
    exemptions[field].flatMap((name, index, all) => {
      const problems = problemsOf[field](name)
      const path = `exemptions.${field}[${index}]`
      if (problems.length > 0) return [invalid(path, name, problems.join(', '))]
      return all.indexOf(name) < index ? [duplicate(path, name)] : []
    }),
  )
