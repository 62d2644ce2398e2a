#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tests/support/servers/impostor.h"
#include "tests/support/test.h"

#define A_DAY 86400

static void extend(X509 *certificate, int what, const char *value)
{
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, what, value);

	assert_non_null(extension);
	assert_int_equal(X509_add_ext(certificate, extension, -1), 1);
	X509_EXTENSION_free(extension);
}

static X509 *sign_itself(EVP_PKEY *key)
{
	X509 *certificate = X509_new();

	assert_non_null(certificate);
	assert_int_equal(X509_set_version(certificate, X509_VERSION_3), 1);
	assert_int_equal(ASN1_INTEGER_set(X509_get_serialNumber(certificate), (long)getpid()), 1);
	assert_non_null(X509_gmtime_adj(X509_getm_notBefore(certificate), -A_DAY));
	assert_non_null(X509_gmtime_adj(X509_getm_notAfter(certificate), A_DAY));
	X509_NAME *name = X509_get_subject_name(certificate);
	assert_int_equal(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
						    (const unsigned char *)"127.0.0.1", -1, -1, 0),
			 1);
	assert_int_equal(X509_set_issuer_name(certificate, name), 1);
	extend(certificate, NID_basic_constraints, "critical,CA:TRUE");
	extend(certificate, NID_subject_alt_name, "IP:127.0.0.1");
	assert_int_equal(X509_set_pubkey(certificate, key), 1);
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	return certificate;
}

SSL_CTX *impostor_context(char *path, size_t size)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	EVP_PKEY *key = EVP_EC_gen("P-256");

	assert_non_null(context);
	assert_non_null(key);
	X509 *certificate = sign_itself(key);
	assert_int_equal(SSL_CTX_use_certificate(context, certificate), 1);
	assert_int_equal(SSL_CTX_use_PrivateKey(context, key), 1);
	assert_true((size_t)snprintf(path, size, "/tmp/dray-impostor-XXXXXX") < size);
	int fd = mkostemp(path, O_CLOEXEC);
	assert_true(fd >= 0);
	FILE *file = fdopen(fd, "w");
	assert_non_null(file);
	assert_int_equal(PEM_write_X509(file, certificate), 1);
	assert_int_equal(fclose(file), 0);
	X509_free(certificate);
	EVP_PKEY_free(key);
	return context;
}
