# frozen_string_literal: true

# Runs the signer on the vectors of a directory: ruby vectors.rb DIRECTORY. Exits 1 on any difference.

require 'json'
require_relative '../../../examples/ruby/request_signer'

COUNTS = { stages: 0, signed: 0, refused: 0 }
DIFFERENCES = []

def expect(vector, stage, actual, expected)
  return if actual == expected

  DIFFERENCES << "#{vector['id']}: #{stage} is #{actual.inspect}, expected #{expected.inspect}"
end

def body_of(vector)
  vector['bodyBase64'] ? vector['bodyBase64'].unpack1('m0') : vector['body'].to_s
end

def plus_of(vector)
  vector.fetch('plus', 'space').to_sym
end

def check_stages(vector)
  md5 = RequestSigner.content_md5(vector['method'], body_of(vector), omit: vector['omitContentMd5'])
  resource = RequestSigner.canonical_resource(vector['target'], plus: plus_of(vector))
  text = RequestSigner.string_to_sign(vector['method'], md5, vector['timestamp'], vector['nonce'], resource)
  signature = RequestSigner.signature(vector['appSecret'], text)
  authorization = RequestSigner.authorization(vector['appId'], signature)
  actual = [md5, resource, text, signature, authorization]
  %w[contentMd5 canonicalResource stringToSign signature authorization].zip(actual) do |stage, value|
    expect(vector, stage, value, vector[stage])
  end
  COUNTS[:stages] += 1
end

# No body is nil here, and an empty string in the stages: a signer takes both.
def sign(vector)
  body = body_of(vector)
  RequestSigner.sign(
    vector['appId'], vector['appSecret'], vector['method'], vector['target'], body.empty? ? nil : body,
    timestamp: Integer(vector['timestamp'], 10), nonce: vector['nonce'],
    omit_content_md5: vector['omitContentMd5'], plus: plus_of(vector)
  )
end

def check_signer(vector)
  headers = sign(vector)
  %w[Authorization Timestamp Nonce].each do |name|
    expect(vector, name, headers[name], vector[name.downcase])
  end
  COUNTS[:signed] += 1
end

def check_refusal(vector)
  sign(vector)
  DIFFERENCES << "#{vector['id']}: was signed, expected an error"
rescue ArgumentError
  COUNTS[:refused] += 1
end

Dir.glob(File.join(ARGV.fetch(0), '*.json')).sort.each do |file|
  JSON.parse(File.read(file, encoding: 'UTF-8'))['vectors'].each do |vector|
    check_stages(vector) if vector['stringToSign']
    check_signer(vector) unless vector['signer']
    # The signer's timestamp is a number, so that a text which is none cannot be given to it.
    check_refusal(vector) if vector['signer'] == 'refuses' && vector['timestamp'].match?(/\A[0-9]+\z/)
  end
end

warn DIFFERENCES
puts COUNTS.map { |name, count| "#{name}=#{count}" }.join(' ')
exit(DIFFERENCES.empty?)
