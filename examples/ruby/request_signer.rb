# frozen_string_literal: true

require 'digest'
require 'openssl'
require 'securerandom'
require 'uri'

# Signs requests of the cbs scheme. Copy this file into your project: it needs Ruby 2.7 and nothing else.
module RequestSigner
  module_function

  # Returns the three headers that the request must carry.
  #
  # target is the path and query exactly as they are sent, still percent-encoded, a base path included;
  # body is exactly what is sent, or nil; plus is how "+" in the query is read, :space or :literal.
  # Raises ArgumentError for a request that no server could accept.
  def sign(app_id, app_secret, method, target, body = '', timestamp: Time.now.to_i,
           nonce: SecureRandom.uuid, omit_content_md5: false, plus: :space)
    if !nonce.length.between?(1, 36) || nonce.match?(/[[:cntrl:]]/)
      raise ArgumentError, 'a nonce has 1 to 36 characters, none of them a control character'
    end

    md5 = content_md5(method, body, omit: omit_content_md5)
    text = string_to_sign(method, md5, timestamp.to_s, nonce, canonical_resource(target, plus: plus))
    {
      'Authorization' => authorization(app_id, signature(app_secret, text)),
      'Timestamp' => timestamp.to_s,
      'Nonce' => nonce
    }
  end

  # Base64 of the body's MD5, or nil when it is not part of what is signed. omit is for image uploads.
  def content_md5(method, body, omit: false)
    return nil if omit || (body.to_s.empty? && !%w[POST PUT].include?(method.upcase))

    [Digest::MD5.digest(body.to_s)].pack('m0')
  end

  # The path as sent, and the decoded parameters sorted by name.
  def canonical_resource(target, plus: :space)
    path, query = target.split('?', 2)
    parameters = query.to_s.split('&').reject(&:empty?).map do |piece|
      name, value = piece.split('=', 2)
      [decode(name.to_s, plus), decode(value.to_s, plus)]
    end
    return path if parameters.empty?

    # By UTF-16 code unit; the index keeps repeated names in their order, as Ruby's sort is not stable.
    sorted = parameters.sort_by.with_index { |(name, _), index| [name.encode('UTF-16BE').b, index] }
    "#{path}?#{sorted.map { |name, value| "#{name}=#{value}" }.join('&')}"
  end

  def string_to_sign(method, md5, timestamp, nonce, resource)
    [method.upcase, md5, timestamp, nonce, resource].compact.join("\n")
  end

  def signature(app_secret, text)
    [OpenSSL::HMAC.digest('SHA256', app_secret, text)].pack('m0')
  end

  def authorization(app_id, signature)
    "cbs:#{app_id}:#{signature}"
  end

  def decode(encoded, plus)
    encoded = encoded.gsub('+', '%2B') if plus == :literal
    text = URI.decode_www_form_component(encoded)
    raise ArgumentError, "percent-encoded bytes in #{encoded} are not UTF-8" unless text.valid_encoding?

    text
  end
  private_class_method :decode
end
