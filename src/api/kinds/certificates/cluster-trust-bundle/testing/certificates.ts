// Certificates that openssl made, of an authority and of none, and a key that nothing uses.

export const authority = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBczCCARmgAwIBAgIUYEr6AC7/tMPO2RUT6HGZLrHsQlgwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEcm9vdDAeFw0yNjExMTkwNDI4MTdaFw0zNjExMTYwNDI4MTda',
  'MA8xDTALBgNVBAMMBHJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARVGjex',
  'uwQG9GZCwac+6PnWSE/GJClVliiPIYICNjvdmWFmT8M5LUFJ+1/sBPpFE+p+W4P5',
  'FgnejAbAeKK72S5Io1MwUTAdBgNVHQ4EFgQUvwtveT9IjE9VUfY8QK/cP25RDBww',
  'HwYDVR0jBBgwFoAUvwtveT9IjE9VUfY8QK/cP25RDBwwDwYDVR0TAQH/BAUwAwEB',
  '/zAKBggqhkjOPQQDAgNIADBFAiEAmecp/K7j21TzTp6HoiE+Ady/RaeGobo4bttQ',
  'jAcmcbsCIDEttM7KWDtWixU+Rxs4U98F8rpDvvL/DbUyHrCCU3G4',
  '-----END CERTIFICATE-----',
  '',
].join('\n')

export const leaf = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBcTCCARagAwIBAgIUR4grl2cqy16ngKrKvvppvlFZ3eUwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEbGVhZjAeFw0yNjExMTkwNDI4MTdaFw0zNjExMTYwNDI4MTda',
  'MA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQz/JeW',
  'z/fCHcnOrW2Ka+1QaiBBxN1Iuk2PAW+VWOzEtjMRvXwH2oz342uiPydjk2qYVEJG',
  'V9fcBX/fsWOav1Epo1AwTjAdBgNVHQ4EFgQUsDlGcCkV55MzXJ2RJst1iujBCgMw',
  'HwYDVR0jBBgwFoAUsDlGcCkV55MzXJ2RJst1iujBCgMwDAYDVR0TAQH/BAIwADAK',
  'BggqhkjOPQQDAgNJADBGAiEAv+GKLEKb5GgPu5uubmspL/yERwBhEOXWpacuQbWu',
  'rUQCIQC7+Wg8YohDy1oSroaf2VBY+Bh+dwowrMAB7rB2kaC2bQ==',
  '-----END CERTIFICATE-----',
  '',
].join('\n')

export const privateKey = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'
