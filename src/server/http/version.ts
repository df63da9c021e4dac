// /version: the version of Kubernetes that is emulated, with our own version as build metadata.
import { arch, platform } from 'node:os'
import { kubernetes } from '../../api/machinery/kubernetes-version.ts'

export function versionDocument(version: string): string {
  const architecture = arch() === 'x64' ? 'amd64' : arch()
  return JSON.stringify(
    {
      major: kubernetes.major,
      minor: kubernetes.minor,
      emulationMajor: kubernetes.major,
      emulationMinor: kubernetes.minor,
      minCompatibilityMajor: kubernetes.major,
      minCompatibilityMinor: '35',
      gitVersion: `${kubernetes.version}+rollcall-${version}`,
      gitCommit: '',
      gitTreeState: 'clean',
      buildDate: '1970-01-01T00:00:00Z',
      goVersion: 'go1.26.0',
      compiler: 'gc',
      platform: `${platform()}/${architecture}`,
    },
    null,
    2,
  )
}
