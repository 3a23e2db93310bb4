# frozen_string_literal: true

# Creates a user, binds it to a role, an organization and a store, and queries it. See README.md.

require 'json'
require 'net/http'
require 'openssl'
require_relative 'request_signer'

# The envelope's code is not 0, or there is no envelope.
class Failure < StandardError; end

class Client
  def initialize(url, app_id, app_secret, timeout)
    @uri = URI(url)
    @app_id = app_id
    @app_secret = app_secret
    @timeout = timeout
  end

  def call(method, path, query: nil, fields: nil)
    target = @uri.path.chomp('/') + path
    target += "?#{URI.encode_www_form(query)}" if query
    # Serialised once: the bytes that are signed are the bytes that are sent.
    body = fields.nil? ? '' : JSON.generate(fields)
    headers = RequestSigner.sign(@app_id, @app_secret, method, target, body)
    envelope = JSON.parse(send_request(method, target, body, headers))
    unless envelope.is_a?(Hash) && envelope['code'].is_a?(Integer)
      raise Failure, "#{method} #{path} was answered without a code; check FIELDROSTER_URL"
    end
    # The envelope says what happened, not the HTTP status.
    return envelope['data'] if envelope['code'].zero?

    raise Failure, "#{method} #{path} failed with code #{envelope['code']}: #{envelope['message']}"
  end

  private

  def send_request(method, target, body, headers)
    request = Net::HTTP.const_get(method.capitalize).new(target, headers)
    request['Content-Type'] = 'application/json'
    request.body = body unless body.empty?
    # Otherwise Net::HTTP repeats a lost GET, PUT or DELETE by itself, and the second copy is answered with 1015.
    options = { use_ssl: @uri.scheme == 'https', open_timeout: @timeout, read_timeout: @timeout, max_retries: 0 }
    response = Net::HTTP.start(@uri.host, @uri.port, **options) { |http| http.request(request) }
    response.body.force_encoding('UTF-8')
  end
end

def required(name)
  value = ENV[name].to_s
  abort("set the environment variable #{name}") if value.empty?
  value
end

def optional(name, fallback)
  value = ENV[name].to_s
  value.empty? ? fallback : value
end

def bind(client, user_id, store_code)
  role_id = Integer(optional('FIELDROSTER_ROLE_ID', '1'), 10)
  client.call('POST', '/user/role', fields: { user_id: user_id, role_id: role_id })
  puts "bound to role #{role_id}"
  org_id = Integer(optional('FIELDROSTER_ORG_ID', '1'), 10)
  client.call('POST', '/user/org', fields: { user_id: user_id, org_id: org_id })
  puts "bound to organization #{org_id}"
  client.call('POST', '/user/store', fields: { user_id: user_id, store_code: store_code })
  puts "bound to store #{store_code}"
end

def query(client, user_id, username, store_code)
  found = client.call('GET', '/user', query: { username: username })
  puts "found user #{found['id']}: #{found['username']} (#{found['real_name']})"
  puts "its role: #{found['roles'][0]['id']}"
  puts "its organization: #{found['orgs'][0]['id']}"
  stores = client.call('GET', '/user/store', query: { user_id: user_id })['stores']
  puts "its store: #{stores[0]['code']}"
  client.call('DELETE', '/user/store', query: { user_id: user_id, store_code: store_code })
  puts "unbound from store #{store_code}"
end

begin
  credentials = %w[FIELDROSTER_URL FIELDROSTER_APP_ID FIELDROSTER_APP_SECRET].map { |name| required(name) }
  client = Client.new(*credentials, Integer(optional('FIELDROSTER_TIMEOUT_SECONDS', '30'), 10))
  username = optional('FIELDROSTER_USERNAME', "example-#{SecureRandom.uuid}")
  store_code = optional('FIELDROSTER_STORE_CODE', 'N-001')
  created = client.call('POST', '/user', fields: {
                          username: username,
                          real_name: optional('FIELDROSTER_REAL_NAME', 'Li Wei'),
                          password: optional('FIELDROSTER_PASSWORD', SecureRandom.uuid)
                        })
  puts "created user #{created['id']}"
  bind(client, created['id'], store_code)
  query(client, created['id'], username, store_code)
rescue Failure, SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, JSON::ParserError,
       ArgumentError => e
  abort(e.message)
end
