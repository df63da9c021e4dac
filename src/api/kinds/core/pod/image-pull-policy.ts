// The tag of an image decides when it is pulled.
// Kubernetes: pkg/apis/core/v1.SetDefaults_Container
// Kubernetes: pkg/util/parsers.ParseImageName

const domain = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const remainder = new RegExp(
  `^(${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
)
const maxNameLength = 255
const officialFolder = 'library/'

/** Always for the tag `latest`, also if it is only implied; IfNotPresent for all other images and for invalid names. */
export function defaultPullPolicy(image: string | undefined): 'Always' | 'IfNotPresent' {
  return image !== undefined && isLatest(image) ? 'Always' : 'IfNotPresent'
}

function isLatest(image: string): boolean {
  // A name of 64 hexadecimal digits could be the identifier of an image.
  if (/^[a-f0-9]{64}$/.test(image)) return false
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(slash, 0))
  const namesHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase())
  if (namesHost && !domain.test(first)) return false
  const match = remainder.exec(namesHost ? image.slice(slash + 1) : image)
  if (match === null) return false
  // Images without a host and a folder are in the folder `library` of the default registry.
  const isOfficial = !match[1]!.includes('/') && (!namesHost || first === 'docker.io' || first === 'index.docker.io')
  if (match[1]!.length + (isOfficial ? officialFolder.length : 0) > maxNameLength) return false
  return match[2] === undefined ? match[3] === undefined : match[2] === 'latest'
}
